import type { Map as LeafletMap, Point } from 'leaflet';
import { leaflet } from './leaflet.ts';
import { Picture, type CanvasFrame } from './picture.ts';

/** Draws one frame on a cleared canvas; in steps, when it is a lot, each short enough for one frame of the screen. */
export type Painter = (frame: CanvasFrame) => Iterator<void> | void;

/** What a canvas shows and where. */
export interface MapCanvasOptions {
  pane: string;
  zIndex: number;
  paint: Painter;
  /**
   * In what manner a picture is painted. A picture of another manner than the last is painted whole, for the two would
   * not fit together.
   */
  mannerOf?: (frame: CanvasFrame) => string;
  /** Whether there is anything to paint. An empty canvas over the map would slow down every frame of a pan. */
  isNeeded?: () => boolean;
  /** A new picture is in place. */
  onShown?: () => void;
}

// The picture reaches this far beyond the view on every side, so that a pan shows something at once.
const MARGIN = 0.35;
// With less than this margin left, it is time for what comes into view next.
const RESERVE = 0.2;

/**
 * A canvas in a pane of the map. While the map moves the browser moves the last picture; when little is left of it beyond
 * the view, the next one is made from it and the strips that it lacks. Pictures are painted out of sight, step by step,
 * one step a frame; the last one stays until the next is done.
 */
export class MapCanvas {
  readonly #map: LeafletMap;
  readonly #paint: Painter;
  readonly #mannerOf: (frame: CanvasFrame) => string;
  readonly #isNeeded: () => boolean;
  readonly #onShown: (() => void) | undefined;
  #shown = new Picture();
  #spare = new Picture();
  #shownManner: string | null = null;
  /** The picture being painted on `#spare`. */
  #steps: Iterator<void> | null = null;
  #manner = '';
  /** What is asked for has changed since the last picture was begun. */
  #isStale = true;
  #frameRequest: number | null = null;
  #isZooming = false;

  constructor(map: LeafletMap, options: MapCanvasOptions) {
    this.#map = map;
    this.#paint = options.paint;
    this.#mannerOf = options.mannerOf ?? (() => '');
    this.#isNeeded = options.isNeeded ?? (() => true);
    this.#onShown = options.onShown;
    const pane = map.getPane(options.pane) ?? map.createPane(options.pane);
    pane.style.zIndex = String(options.zIndex);
    pane.style.pointerEvents = 'none';
    pane.append(this.#shown.element);
    map.on('zoomanim', this.#followZoomAnimation);
    map.on('zoom', this.#followZoom);
    map.on('zoomend viewreset', this.#repaintAfterZoom);
    map.on('move moveend', this.#repaintWhenReserveIsLow);
    map.on('resize', this.requestPaint);
    this.requestPaint();
  }

  /** Asks for a new picture in the next frame. */
  requestPaint = (): void => {
    this.#isStale = true;
    this.#schedule();
  };

  /** Takes the canvas off the map. */
  destroy(): void {
    if (this.#frameRequest !== null) cancelAnimationFrame(this.#frameRequest);
    this.#steps = null;
    this.#map.off('zoomanim', this.#followZoomAnimation);
    this.#map.off('zoom', this.#followZoom);
    this.#map.off('zoomend viewreset', this.#repaintAfterZoom);
    this.#map.off('move moveend', this.#repaintWhenReserveIsLow);
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
    if (!this.#shown.covers(this.#map, 0)) this.#work();
  };

  readonly #repaintWhenReserveIsLow = (): void => {
    if (!this.#isZooming && this.#isNeeded() && !this.#shown.covers(this.#map, RESERVE)) this.#schedule();
  };

  #placeShown(pixelOrigin: Point): void {
    this.#shown.place(this.#map, this.#map.getZoom(), pixelOrigin);
  }

  #schedule(): void {
    this.#frameRequest ??= requestAnimationFrame(() => {
      this.#frameRequest = null;
      this.#work();
    });
  }

  /** Begins the next picture where one is due, and paints one step of it. */
  #work(): void {
    if (this.#isZooming) return;
    if (!this.#isNeeded()) {
      this.#hide();
      return;
    }
    if (this.#steps && !this.#spare.isOfZoom(this.#map.getZoom())) this.#steps = null;
    // A picture that is on its way is finished first: one begun again and again would never be there.
    if (!this.#steps && (this.#isStale || !this.#shown.covers(this.#map, RESERVE)))
      this.#steps = this.#begin();
    if (!this.#steps) return;
    if (this.#steps.next().done) {
      this.#steps = null;
      this.#show();
      if (!this.#isStale && this.#shown.covers(this.#map, RESERVE)) return;
    }
    this.#schedule();
  }

  #begin(): Iterator<void> | null {
    const frame = this.#spare.begin(this.#map, MARGIN);
    if (!frame) return null;
    this.#manner = this.#mannerOf(frame);
    const mayTakeOver = !this.#isStale && this.#manner === this.#shownManner;
    this.#isStale = false;
    const strips = mayTakeOver ? this.#spare.takeFrom(this.#shown) : null;
    if (strips) return this.#paintStrips(frame, strips);
    return this.#paint(frame) ?? [][Symbol.iterator]();
  }

  *#paintStrips(frame: CanvasFrame, strips: ReturnType<Picture['takeFrom']> & object): Generator<void, void> {
    const picture = this.#spare;
    for (const strip of strips) {
      const steps = this.#paint(picture.beginStrip(frame, strip));
      while (steps && !steps.next().done) yield;
      picture.endStrip(frame);
    }
  }

  #hide(): void {
    this.#steps = null;
    this.#isStale = true;
    this.#shown.element.hidden = true;
  }

  #show(): void {
    this.#spare.element.hidden = false;
    this.#shown.element.replaceWith(this.#spare.element);
    [this.#shown, this.#spare] = [this.#spare, this.#shown];
    this.#shownManner = this.#manner;
    this.#placeShown(this.#map.getPixelOrigin());
    this.#onShown?.();
  }
}
