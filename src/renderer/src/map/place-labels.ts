import type { CountryName } from './basemap-data.ts';
import type { WorldBox } from './footprint-set.ts';
import { LabelRoom } from './label-room.ts';
import { toWorldX, toWorldY, worldSizePx } from '#shared/geo/mercator.ts';

/**
 * Name, longitude, latitude, the zoom from which on it is shown, and 1 for a country's capital. The important ones come
 * first.
 */
export type Place = readonly [
  name: string,
  longitude: number,
  latitude: number,
  minZoom: number,
  kind: number,
];

/** Everything that has a name. */
export interface MapNames {
  places: readonly Place[];
  countries: readonly CountryName[];
}

/** How a name is written. */
export type LabelKind = 'city' | 'town' | 'country';

/** A label that found room. Pixels of the world at the zoom it was placed for. */
export interface PlacedLabel {
  text: string;
  kind: LabelKind;
  x: number;
  y: number;
  /** Where the text starts from the dot; countries are centred and have none. */
  align: 'left' | 'right' | 'center';
  isCapital: boolean;
}

/** Width in pixels of a text as the given kind is drawn. */
export type MeasureText = (text: string, kind: LabelKind) => number;

const COUNTRY_ZOOMS = { from: 2.5, to: 6.5 };
const CELL_PX = 512;
// No name reaches further from its place.
const REACH_PX = 260;
// A place that is shown two zooms before there is room for its like is a city by any measure.
const CITY_BEFORE_ZOOM = 4.5;

interface Candidate {
  order: number;
  label: PlacedLabel;
  /** Pixels that a country has for its name. */
  roomPx: number;
}

/**
 * The labels of one zoom level, placed as they come near the view, the important ones first, so that none covers another.
 * What has been placed stays where it is: a pan never makes a label jump or vanish.
 */
export class PlaceLabels {
  readonly #measure: MeasureText;
  readonly #sizePx: number;
  readonly #candidates = new Map<string, Candidate[]>();
  readonly #placed = new Map<string, PlacedLabel[]>();
  readonly #room: LabelRoom;

  constructor(names: MapNames, zoom: number, measure: MeasureText) {
    this.#measure = measure;
    this.#sizePx = worldSizePx(zoom);
    this.#room = new LabelRoom(this.#sizePx);
    let order = 0;
    const add = (label: PlacedLabel, roomPx: number): void => {
      const key = this.#keyAt(label.x, label.y);
      const cell = this.#candidates.get(key) ?? [];
      if (cell.length === 0) this.#candidates.set(key, cell);
      cell.push({ order: order++, label, roomPx });
    };
    const addPlaces = (places: readonly Place[]): void => {
      for (const [text, longitude, latitude, minZoom, kind] of places) {
        if (minZoom > zoom) continue;
        const x = toWorldX(longitude) * this.#sizePx;
        const y = toWorldY(latitude) * this.#sizePx;
        const look = minZoom < CITY_BEFORE_ZOOM ? 'city' : 'town';
        add({ text, kind: look, x, y, align: 'left', isCapital: kind === 1 }, Infinity);
      }
    };
    const isGreat = ([, , , minZoom]: Place): boolean => minZoom <= 2.5;
    addPlaces(names.places.filter(isGreat));
    if (zoom >= COUNTRY_ZOOMS.from && zoom <= COUNTRY_ZOOMS.to) {
      for (const { name, x, y, width } of [...names.countries].sort((a, b) => b.width - a.width)) {
        const at = { x: x * this.#sizePx, y: y * this.#sizePx };
        add(
          { text: name, kind: 'country', ...at, align: 'center', isCapital: false },
          width * this.#sizePx * 0.8,
        );
      }
    }
    addPlaces(names.places.filter((place) => !isGreat(place)));
  }

  /** The labels that may be seen in a box of the world, which may lie in any copy of it; `x` is in that copy. */
  labelsIn(box: WorldBox): PlacedLabel[] {
    const cells = this.#cellsIn(box);
    this.#place([...new Set(cells.map(({ key }) => key))]);
    return cells.flatMap(({ key, copyPx }) =>
      (this.#placed.get(key) ?? []).map((label) => ({ ...label, x: label.x + copyPx })),
    );
  }

  #place(keys: readonly string[]): void {
    const fresh = keys.filter((key) => !this.#placed.has(key));
    for (const key of fresh) this.#placed.set(key, []);
    const candidates = fresh
      .flatMap((key) => (this.#candidates.get(key) ?? []).map((candidate) => ({ key, candidate })))
      .sort((a, b) => a.candidate.order - b.candidate.order);
    for (const { key, candidate } of candidates) {
      const { label, roomPx } = candidate;
      const width = this.#measure(label.text, label.kind);
      if (width > roomPx) continue;
      const aligns = label.kind === 'country' ? (['center'] as const) : (['left', 'right'] as const);
      const align = aligns.find((side) => this.#room.take({ ...label, align: side }, width));
      if (align) this.#placed.get(key)?.push({ ...label, align });
    }
  }

  #cellsIn(box: WorldBox): { key: string; copyPx: number }[] {
    const size = this.#sizePx;
    const first = { x: box.minX * size - REACH_PX, y: box.minY * size - 20 };
    const last = { x: box.maxX * size + REACH_PX, y: box.maxY * size + 20 };
    const cells: { key: string; copyPx: number }[] = [];
    for (let copy = Math.floor(first.x / size); copy * size < last.x; copy++) {
      const from = Math.max(0, first.x - copy * size);
      const to = Math.min(size, last.x - copy * size);
      for (let x = Math.floor(from / CELL_PX); x * CELL_PX < to; x++) {
        for (let y = Math.floor(first.y / CELL_PX); y * CELL_PX < last.y; y++)
          cells.push({ key: `${x}/${y}`, copyPx: copy * size });
      }
    }
    return cells;
  }

  #keyAt(x: number, y: number): string {
    return `${Math.floor(x / CELL_PX)}/${Math.floor(y / CELL_PX)}`;
  }
}
