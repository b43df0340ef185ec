import type { LeafletMouseEvent, Map as LeafletMap } from 'leaflet';

/** Degrees under the pointer, in whatever copy of the world; null when it left. */
export type PointerPosition = { longitude: number; latitude: number } | null;

/** Tells where the pointer is over the map, at most once a frame and never while the map is dragged. */
export class PointerReport {
  readonly #map: LeafletMap;
  readonly #report: (position: PointerPosition) => void;
  #latest: PointerPosition = null;
  #isDragging = false;
  #frameRequest: number | null = null;

  constructor(map: LeafletMap, report: (position: PointerPosition) => void) {
    this.#map = map;
    this.#report = report;
    map.on('mousemove', this.#move);
    map.on('mouseout', this.#leave);
    map.on('dragstart', this.#beginDrag);
    map.on('dragend', this.#endDrag);
  }

  /** Stops. */
  destroy(): void {
    this.#map.off('mousemove', this.#move);
    this.#map.off('mouseout', this.#leave);
    this.#map.off('dragstart', this.#beginDrag);
    this.#map.off('dragend', this.#endDrag);
    if (this.#frameRequest !== null) cancelAnimationFrame(this.#frameRequest);
  }

  readonly #move = ({ latlng }: LeafletMouseEvent): void => {
    if (!this.#isDragging) this.#schedule({ longitude: latlng.lng, latitude: latlng.lat });
  };

  readonly #leave = (): void => this.#schedule(null);

  readonly #beginDrag = (): void => {
    this.#isDragging = true;
  };

  readonly #endDrag = (): void => {
    this.#isDragging = false;
  };

  #schedule(position: PointerPosition): void {
    this.#latest = position;
    this.#frameRequest ??= requestAnimationFrame(() => {
      this.#frameRequest = null;
      this.#report(this.#latest);
    });
  }
}
