import type { Map as LeafletMap, Point } from 'leaflet';
import type { WorldBox } from './footprint-set.ts';
import { leaflet } from './leaflet.ts';
import { Picture } from './picture.ts';

/** What a painter needs to draw one picture. A world point is at `x * scale - left`, `y * scale - top`. */
export interface CanvasFrame {
  context: CanvasRenderingContext2D;
  /** CSS pixels. */
  width: number;
  height: number;
  /** CSS pixels a world unit. */
  scale: number;
  left: number;
  top: number;
  zoom: number;
  /** What the picture covers, in world units. */
  box: WorldBox;
}

/** Draws one frame on a cleared canvas; in steps, when it is a lot, each short enough for one frame of the screen. */
export type Painter = (frame: CanvasFrame) => Iterator<void> | void;

// The picture reaches this far beyond the view on every side, so that a pan shows something at once.
const MARGIN = 0.35;
// With less than this margin left after a pan, it is time for a new picture.
const RESERVE = 0.1;

/**
 * A canvas in a pane of the map. While the map moves the browser moves the last picture; a new one is painted when the
 * zoom changed, when what is asked for is not covered any more, or on request, at most once a frame. A picture that takes
 * several steps is painted out of sight, and the last one stays until it is done.
 */
export class MapCanvas {
  readonly #map: LeafletMap;
  readonly #paint: Painter;
  #shown: Picture;
  #spare: Picture | null;
  /** The picture being painted on `#spare`. */
  #steps: Iterator<void> | null = null;
  #frameRequest: number | null = null;
  #stepRequest: number | null = null;
  #isZooming = false;

  constructor(
    map: LeafletMap,
    options: { pane: string; zIndex: number; paint: Painter; isStepwise?: boolean },
  ) {
    this.#map = map;
    this.#paint = options.paint;
    const pane = map.getPane(options.pane) ?? map.createPane(options.pane);
    pane.style.zIndex = String(options.zIndex);
    pane.style.pointerEvents = 'none';
    this.#shown = new Picture();
    this.#spare = options.isStepwise ? new Picture() : null;
    pane.append(this.#shown.element);
    map.on('zoomanim', this.#followZoomAnimation);
    map.on('zoom', this.#followZoom);
    map.on('zoomend viewreset', this.#repaintAfterZoom);
    map.on('move', this.#repaintWhenUncovered);
    map.on('moveend', this.#repaintWhenReserveIsLow);
    map.on('resize', this.requestPaint);
    this.requestPaint();
  }

  /** Asks for a new picture in the next frame. */
  requestPaint = (): void => {
    this.#frameRequest ??= requestAnimationFrame(() => {
      this.#frameRequest = null;
      if (!this.#isZooming) this.#paintNow();
    });
  };

  /** Takes the canvas off the map. */
  destroy(): void {
    if (this.#frameRequest !== null) cancelAnimationFrame(this.#frameRequest);
    this.#abandonSteps();
    this.#map.off('zoomanim', this.#followZoomAnimation);
    this.#map.off('zoom', this.#followZoom);
    this.#map.off('zoomend viewreset', this.#repaintAfterZoom);
    this.#map.off('move', this.#repaintWhenUncovered);
    this.#map.off('moveend', this.#repaintWhenReserveIsLow);
    this.#map.off('resize', this.requestPaint);
    this.#shown.element.remove();
  }

  readonly #followZoomAnimation = (event: { center: { lat: number; lng: number }; zoom: number }): void => {
    this.#isZooming = true;
    const { center, zoom } = event;
    const panePosition = leaflet.DomUtil.getPosition(this.#map.getPanes().mapPane);
    const origin = this.#map
      .project(center, zoom)
      .subtract(this.#map.getSize().divideBy(2))
      .add(panePosition)
      .round();
    this.#shown.place(this.#map, zoom, origin);
  };

  readonly #followZoom = (): void => {
    this.#placeShown(this.#map.getPixelOrigin());
  };

  readonly #repaintAfterZoom = (): void => {
    this.#isZooming = false;
    // In this frame still: the map has a new pixel origin, the old picture would stand in the wrong place.
    this.#followZoom();
    if (!this.#shown.covers(this.#map, 0)) this.#paintNow();
  };

  readonly #repaintWhenUncovered = (): void => {
    if (!this.#isZooming) this.#ensureCovered(0);
  };

  readonly #repaintWhenReserveIsLow = (): void => this.#ensureCovered(RESERVE);

  #ensureCovered(margin: number): void {
    const coming = this.#steps ? this.#spare : null;
    if (!(coming ?? this.#shown).covers(this.#map, margin)) this.requestPaint();
  }

  #placeShown(pixelOrigin: Point): void {
    this.#shown.place(this.#map, this.#map.getZoom(), pixelOrigin);
  }

  #paintNow(): void {
    this.#abandonSteps();
    const target = this.#spare ?? this.#shown;
    const frame = target.begin(this.#map, MARGIN);
    if (!frame) return;
    this.#steps = this.#paint(frame) ?? null;
    this.#continue();
  }

  readonly #continue = (): void => {
    this.#stepRequest = null;
    if (this.#steps && !this.#steps.next().done) {
      this.#stepRequest = requestAnimationFrame(this.#continue);
      return;
    }
    this.#steps = null;
    if (this.#spare) {
      this.#shown.element.replaceWith(this.#spare.element);
      [this.#shown, this.#spare] = [this.#spare, this.#shown];
    }
    this.#placeShown(this.#map.getPixelOrigin());
  };

  #abandonSteps(): void {
    if (this.#stepRequest !== null) cancelAnimationFrame(this.#stepRequest);
    this.#stepRequest = null;
    this.#steps = null;
  }
}
