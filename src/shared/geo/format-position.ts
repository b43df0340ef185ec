import type { Bbox } from '../stac/bbox.ts';

/** Degrees with their hemisphere: `51.5° N, 0.12° W`. */
export function formatPosition(longitude: number, latitude: number): string {
  return `${formatLatitude(latitude)}, ${formatLongitude(longitude)}`;
}

/** A box as where it begins and ends: `2° W to 3° E, 48° N to 51° N`. */
export function formatBox([west, south, east, north]: Bbox): string {
  return `${formatLongitude(west)} to ${formatLongitude(east)}, ${formatLatitude(south)} to ${formatLatitude(north)}`;
}

function formatLatitude(latitude: number): string {
  return formatDegrees(latitude, latitude < 0 ? ' S' : latitude > 0 ? ' N' : '');
}

function formatLongitude(longitude: number): string {
  return formatDegrees(longitude, longitude < 0 ? ' W' : longitude > 0 ? ' E' : '');
}

// About a metre.
function formatDegrees(degrees: number, hemisphere: string): string {
  return `${Number(Math.abs(degrees).toFixed(5)).toString()}°${hemisphere}`;
}
