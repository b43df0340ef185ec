import type { Geometry } from 'geojson';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { ItemRef } from '#shared/stac/item.ts';

/** A box to bring into view, once for each new object. */
export interface MapFocus {
  bbox: Bbox;
  /** Whether the map may go closer for it, or keeps its zoom unless the box is larger. */
  mayZoomIn: boolean;
}

/** What the map tells its owner. */
export interface MapEvents {
  /** The footprint under the pointer, the smallest of several; null when there is none. `count`: how many lie there. */
  onHover(ref: ItemRef | null, count: number): void;
  /** All footprints under a click, smallest first; empty for a click on nothing. */
  onPick(refs: readonly ItemRef[]): void;
  /** The area that was drawn or edited; null when it was cleared on the map. */
  onAoi(aoi: Geometry | null): void;
  /** Drawing ended, with or without an area. */
  onDrawingEnd(): void;
  /** The view after a pan or zoom, within -180..180. */
  onMove(view: Bbox): void;
  /** Degrees under the pointer; null when it left the map. */
  onCursor(position: { longitude: number; latitude: number } | null): void;
}
