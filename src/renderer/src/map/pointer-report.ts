import type { LeafletMouseEvent, Map as LeafletMap, Point } from 'leaflet';

/** Degrees under the pointer, in whatever copy of the world; null when it left. */
export type PointerPosition = { longitude: number; latitude: number } | null;

/** Tells where the pointer is over the map, at most once a frame and never while the map is dragged. */
export class PointerReport {
  readonly #map: LeafletMap;
  readonly #report: (position: PointerPosition) => void;
  #latest: PointerPosition = null;
  /** Where the pointer is on the map's element; null when it left. */
  #place: Point | null = null;
  #isDragging = false;
  #frameRequest: number | null = null;

  constructor(map: LeafletMap, report: (position: PointerPosition) => void) {
    this.#map = map;
    this.#report = report;
    map.on('mousemove', this.#move);
    map.on('mouseout', this.#leave);
    map.on('dragstart', this.#beginDrag);
    map.on('dragend', this.#endDrag);
    map.on('moveend', this.#lookAgain);
  }

  /** Stops. */
  destroy(): void {
    this.#map.off('mousemove', this.#move);
    this.#map.off('mouseout', this.#leave);
    this.#map.off('dragstart', this.#beginDrag);
    this.#map.off('dragend', this.#endDrag);
    this.#map.off('moveend', this.#lookAgain);
    if (this.#frameRequest !== null) cancelAnimationFrame(this.#frameRequest);
  }

  readonly #move = ({ latlng, containerPoint }: LeafletMouseEvent): void => {
    this.#place = containerPoint;
    if (!this.#isDragging) this.#schedule({ longitude: latlng.lng, latitude: latlng.lat });
  };

  readonly #leave = (): void => {
    this.#place = null;
    this.#schedule(null);
  };

  /** The map went on under a pointer that rests: after a throw, a zoom, or a jump to a result. */
  readonly #lookAgain = (): void => {
    if (!this.#place || this.#isDragging) return;
    const { lng, lat } = this.#map.containerPointToLatLng(this.#place);
    this.#schedule({ longitude: lng, latitude: lat });
  };

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
