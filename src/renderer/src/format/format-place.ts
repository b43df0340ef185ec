import { formatCount } from './format-number.ts';

/** `47.3821° N, 5.0417° E`. */
export function formatPosition(longitude: number, latitude: number): string {
  const northing = `${Math.abs(latitude).toFixed(4)}° ${latitude < 0 ? 'S' : 'N'}`;
  return `${northing}, ${Math.abs(longitude).toFixed(4)}° ${longitude < 0 ? 'W' : 'E'}`;
}

/** `41,260 km²`; small areas with one digit after the point. */
export function formatArea(areaKm2: number): string {
  return areaKm2 < 100 ? `${areaKm2.toFixed(areaKm2 < 1 ? 2 : 1)} km²` : `${formatCount(areaKm2)} km²`;
}
