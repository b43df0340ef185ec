import type { CountryName } from './basemap-data.ts';
import { toWorldX, toWorldY, worldSizePx } from './mercator.ts';

/** Name, longitude, latitude, rank: 1 is known everywhere, 4 only in its region. */
export type Place = readonly [name: string, longitude: number, latitude: number, rank: number];

/** A label that found room. Pixels of the world at the zoom it was placed for. */
export interface PlacedLabel {
  text: string;
  kind: 'place' | 'country';
  x: number;
  y: number;
  /** Where the text starts from the dot; countries are centred and have none. */
  align: 'left' | 'right' | 'center';
}

/** Width in pixels of a text as the given kind is drawn. */
export type MeasureText = (text: string, kind: PlacedLabel['kind']) => number;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

// From which zoom on a rank is shown.
const MIN_ZOOM_BY_RANK = [0, 2.25, 3.75, 4.75, 5.75];
const COUNTRY_ZOOMS = { from: 2.5, to: 6.5 };
const LINE_HEIGHT_PX = 15;
const GAP_PX = 6;

/**
 * Chooses the labels of a zoom level for the whole world, the important first, so that none covers another. Independent
 * of the view: a pan never makes one jump or vanish.
 */
export function placeLabels(
  names: { places: readonly Place[]; countries: readonly CountryName[] },
  zoom: number,
  measure: MeasureText,
): PlacedLabel[] {
  const size = worldSizePx(zoom);
  const taken: Box[] = [];
  const placed: PlacedLabel[] = [];
  const tryPlace = (label: PlacedLabel, width: number): boolean => {
    const box = boxOf(label, width);
    if (taken.some((other) => touch(box, other))) return false;
    taken.push(box);
    placed.push(label);
    return true;
  };

  const addPlaces = (from: number, to: number): void => {
    for (const [text, longitude, latitude, rank] of names.places) {
      if (rank < from || rank > to || zoom < (MIN_ZOOM_BY_RANK[rank] ?? Infinity)) continue;
      const at = {
        text,
        kind: 'place' as const,
        x: toWorldX(longitude) * size,
        y: toWorldY(latitude) * size,
      };
      const width = measure(text, 'place');
      if (!tryPlace({ ...at, align: 'left' }, width)) tryPlace({ ...at, align: 'right' }, width);
    }
  };

  addPlaces(1, 1);
  if (zoom >= COUNTRY_ZOOMS.from && zoom <= COUNTRY_ZOOMS.to) {
    for (const { name, x, y, width } of [...names.countries].sort((a, b) => b.width - a.width)) {
      const textWidth = measure(name, 'country');
      if (textWidth > width * size * 0.8) continue;
      tryPlace({ text: name, kind: 'country', x: x * size, y: y * size, align: 'center' }, textWidth);
    }
  }
  for (let rank = 2; rank < MIN_ZOOM_BY_RANK.length; rank++) addPlaces(rank, rank);
  return placed;
}

function boxOf({ x, y, align }: PlacedLabel, width: number): Box {
  const start = align === 'left' ? x - 3 : align === 'right' ? x - GAP_PX - width : x - width / 2;
  const length = align === 'center' ? width : width + GAP_PX + 3;
  return {
    left: start - 3,
    right: start + length + 3,
    top: y - LINE_HEIGHT_PX / 2,
    bottom: y + LINE_HEIGHT_PX / 2,
  };
}

function touch(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
