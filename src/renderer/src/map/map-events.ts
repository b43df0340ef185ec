import type { Geometry } from 'geojson';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';

/** A box to bring into view, once for each new object. */
export interface MapFocus {
  bbox: Bbox;
  /** Whether the map may go closer for it, or keeps its zoom unless the box is larger. */
  mayZoomIn: boolean;
}

/** A click on the map. */
export interface MapClick {
  /** CSS pixels of the map's element. */
  x: number;
  y: number;
  /** Whether it picks, with Ctrl, Shift or the command key, instead of choosing one. */
  isPicking: boolean;
}

/** What the map tells its owner. */
export interface MapEvents {
  /** The footprint under the pointer, the smallest of several; null when there is none. `count`: how many lie there. */
  onHover(row: ItemRow | null, count: number): void;
  /** All footprints under a click, smallest first; empty for a click on nothing. */
  onClick(rows: readonly ItemRow[], click: MapClick): void;
  /** All footprints that meet a box that was drawn to pick them. */
  onBox(rows: readonly ItemRow[]): void;
  /** The box tool was left without a box. */
  onBoxCancel(): void;
  /** The area that was drawn or edited; null when it was cleared on the map. */
  onAoi(aoi: Geometry | null): void;
  /** Drawing ended, with or without an area. */
  onDrawingEnd(): void;
  /** The map begins to move, or to zoom. */
  onMoveStart(): void;
  /** The view after a pan, a zoom, or more room for the map, within -180..180. */
  onMove(view: Bbox): void;
  /** Degrees under the pointer; null when it left the map. */
  onCursor(position: { longitude: number; latitude: number } | null): void;
}
