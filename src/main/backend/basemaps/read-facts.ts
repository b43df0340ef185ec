import type { TileFacts } from '#shared/basemap/basemap.ts';
import { maxTileZoom } from '#shared/basemap/tile-zoom.ts';

type Box = [west: number, south: number, east: number, north: number];

/** A number that a file gives, as a zoom; null when it is none. */
export function readZoom(value: unknown): number | null {
  const zoom = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof zoom === 'number' && Number.isInteger(zoom) && zoom >= 0 && zoom <= maxTileZoom ? zoom : null;
}

/** A box that a file gives; null when it is none, or the whole world. */
export function readBounds(values: readonly unknown[]): TileFacts['bounds'] {
  const [west = NaN, south = NaN, east = NaN, north = NaN] = values.map(Number);
  const isRange = (from: number, to: number, limit: number): boolean =>
    from >= -limit && from < to && to <= limit;
  if (!isRange(west, east, 180) || !isRange(south, north, 90)) return null;
  const isWorld = east - west === 360 && south <= -85 && north >= 85;
  return isWorld ? null : ([west, south, east, north] satisfies Box);
}

/** Text of a file for a person: without markup, on one line, not too long. */
export function readText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return '';
  return value
    .slice(0, maxLength * 8)
    .replace(/<[^>]*>?/g, '')
    .replace(/&copy;/g, '©')
    .replace(/&amp;/g, '&')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}
