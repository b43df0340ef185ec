/** WGS 84 / UTM after Krüger's series, good to a millimetre inside a zone and to metres well outside. */

const semiMajorM = 6378137;
const flattening = 1 / 298.257223563;
const scaleFactor = 0.9996;
const n = flattening / (2 - flattening);
const meridianM = (semiMajorM / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
const alpha = [
  n / 2 - (2 / 3) * n ** 2 + (5 / 16) * n ** 3,
  (13 / 48) * n ** 2 - (3 / 5) * n ** 3,
  (61 / 240) * n ** 3,
] as const;
const beta = [
  n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3,
  n ** 2 / 48 + n ** 3 / 15,
  (17 / 480) * n ** 3,
] as const;
const delta = [
  2 * n - (2 / 3) * n ** 2 - 2 * n ** 3,
  (7 / 3) * n ** 2 - (8 / 5) * n ** 3,
  (56 / 15) * n ** 3,
] as const;
const eccentricity = (2 * Math.sqrt(n)) / (1 + n);
const degree = Math.PI / 180;

/** A UTM zone of one hemisphere. */
export interface UtmZone {
  /** 1 to 60. */
  number: number;
  isSouth: boolean;
}

/** The zone in which a place lies, with the exceptions of Norway and Svalbard. */
export function utmZoneAt(lon: number, lat: number): UtmZone {
  let number = (Math.floor((lon + 180) / 6) % 60) + 1;
  if (lat >= 56 && lat < 64 && lon >= 3 && lon < 12) number = 32;
  if (lat >= 72 && lon >= 0 && lon < 42) number = lon < 9 ? 31 : lon < 21 ? 33 : lon < 33 ? 35 : 37;
  return { number, isSouth: lat < 0 };
}

/** EPSG code of a zone. */
export function epsgOfZone(zone: UtmZone): number {
  return (zone.isSouth ? 32700 : 32600) + zone.number;
}

/** The zone of an EPSG code, or null when it is not WGS 84 / UTM. */
export function zoneOfEpsg(epsg: number): UtmZone | null {
  const number = epsg % 100;
  const isUtm = (epsg > 32600 && epsg <= 32660) || (epsg > 32700 && epsg <= 32760);
  return isUtm ? { number, isSouth: epsg > 32700 } : null;
}

/** Easting and northing in metres of a place in degrees. */
export function toUtm(zone: UtmZone, lon: number, lat: number): [easting: number, northing: number] {
  const sinLat = Math.sin(lat * degree);
  const t = Math.sinh(Math.atanh(sinLat) - eccentricity * Math.atanh(eccentricity * sinLat));
  const fromMeridian = wrapDegrees(lon - centralMeridian(zone)) * degree;
  const xi = Math.atan2(t, Math.cos(fromMeridian));
  const eta = Math.atanh(Math.sin(fromMeridian) / Math.sqrt(1 + t * t));
  let north = xi;
  let east = eta;
  alpha.forEach((a, i) => {
    const j = 2 * (i + 1);
    north += a * Math.sin(j * xi) * Math.cosh(j * eta);
    east += a * Math.cos(j * xi) * Math.sinh(j * eta);
  });
  return [500000 + scaleFactor * meridianM * east, falseNorthing(zone) + scaleFactor * meridianM * north];
}

/** Longitude and latitude in degrees of a place in metres. Longitude may pass ±180 by a few degrees: it is not wrapped. */
export function fromUtm(zone: UtmZone, easting: number, northing: number): [lon: number, lat: number] {
  const xi = (northing - falseNorthing(zone)) / (scaleFactor * meridianM);
  const eta = (easting - 500000) / (scaleFactor * meridianM);
  let north = xi;
  let east = eta;
  beta.forEach((b, i) => {
    const j = 2 * (i + 1);
    north -= b * Math.sin(j * xi) * Math.cosh(j * eta);
    east -= b * Math.cos(j * xi) * Math.sinh(j * eta);
  });
  const conformal = Math.asin(Math.sin(north) / Math.cosh(east));
  let lat = conformal;
  delta.forEach((d, i) => {
    lat += d * Math.sin(2 * (i + 1) * conformal);
  });
  const lon = Math.atan2(Math.sinh(east), Math.cos(north));
  return [centralMeridian(zone) + lon / degree, lat / degree];
}

/** A longitude brought into -180 to 180. */
export function wrapDegrees(lon: number): number {
  return ((((lon + 180) % 360) + 360) % 360) - 180;
}

function centralMeridian(zone: UtmZone): number {
  return zone.number * 6 - 183;
}

function falseNorthing(zone: UtmZone): number {
  return zone.isSouth ? 10_000_000 : 0;
}
