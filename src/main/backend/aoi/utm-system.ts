/** A UTM zone in WGS 84, as proj4 takes it. */
export function utmSystem(zone: number, isSouth: boolean): string {
  return `+proj=utm +zone=${String(zone)} ${isSouth ? '+south ' : ''}+datum=WGS84 +units=m +no_defs`;
}
