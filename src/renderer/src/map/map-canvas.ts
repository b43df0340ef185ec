import type { Map as LeafletMap, Point } from 'leaflet';
import type { WorldBox } from './footprint-set.ts';
import { leaflet } from './leaflet.ts';
import { worldSizePx } from './mercator.ts';

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

/** Draws one frame on a cleared canvas. */
export type Painter = (frame: CanvasFrame) => void;

// The picture reaches this far beyond the view on every side, so that a pan shows something at once.
const MARGIN = 0.35;
// With less than this part of the margin left after a pan, it is time for a new picture.
const RESERVE = 0.3;

/**
 * One canvas in a pane of the map. While the map moves the browser moves the last picture; a new one is painted when the
 * zoom changed, when what is asked for is not covered any more, or on request, at most once a frame.
 */
export class MapCanvas {
  readonly #map: LeafletMap;
  readonly #paint: Painter;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  /** Pixels of the world at `#zoom` where the picture begins. */
  #topLeft: Point;
  #size: Point;
  #zoom: number;
  #frameRequest: number | null = null;
  #isZooming = false;

  constructor(map: LeafletMap, options: { pane: string; zIndex: number; paint: Painter }) {
    this.#map = map;
    this.#paint = options.paint;
    const pane = map.getPane(options.pane) ?? map.createPane(options.pane);
    pane.style.zIndex = String(options.zIndex);
    pane.style.pointerEvents = 'none';
    this.#canvas = leaflet.DomUtil.create('canvas', 'map-canvas leaflet-zoom-animated', pane);
    this.#canvas.setAttribute('aria-hidden', 'true');
    this.#context = this.#canvas.getContext('2d');
    this.#topLeft = leaflet.point(0, 0);
    this.#size = leaflet.point(0, 0);
    this.#zoom = map.getZoom();
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
    this.#map.off('zoomanim', this.#followZoomAnimation);
    this.#map.off('zoom', this.#followZoom);
    this.#map.off('zoomend viewreset', this.#repaintAfterZoom);
    this.#map.off('move', this.#repaintWhenUncovered);
    this.#map.off('moveend', this.#repaintWhenReserveIsLow);
    this.#map.off('resize', this.requestPaint);
    this.#canvas.remove();
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
    this.#transform(zoom, origin);
  };

  readonly #followZoom = (): void => {
    this.#transform(this.#map.getZoom(), this.#map.getPixelOrigin());
  };

  readonly #repaintAfterZoom = (): void => {
    this.#isZooming = false;
    // In this frame still: the map has a new pixel origin, the old picture would stand in the wrong place.
    if (this.#map.getZoom() !== this.#zoom || !this.#covers(0)) this.#paintNow();
    else this.#followZoom();
  };

  readonly #repaintWhenUncovered = (): void => {
    if (!this.#isZooming && this.#map.getZoom() === this.#zoom && !this.#covers(0)) this.requestPaint();
  };

  readonly #repaintWhenReserveIsLow = (): void => {
    if (!this.#covers(MARGIN * RESERVE)) this.requestPaint();
  };

  #transform(zoom: number, pixelOrigin: Point): void {
    const factor = this.#map.getZoomScale(zoom, this.#zoom);
    leaflet.DomUtil.setTransform(
      this.#canvas,
      this.#topLeft.multiplyBy(factor).subtract(pixelOrigin),
      factor,
    );
  }

  /** Whether the picture covers the view and a margin (a part of the view's size) around it. */
  #covers(margin: number): boolean {
    const { min, max } = this.#map.getPixelBounds();
    if (!min || !max) return false;
    const extra = this.#map.getSize().multiplyBy(margin);
    const end = this.#topLeft.add(this.#size);
    return (
      min.x - extra.x >= this.#topLeft.x &&
      min.y - extra.y >= this.#topLeft.y &&
      max.x + extra.x <= end.x &&
      max.y + extra.y <= end.y
    );
  }

  #paintNow(): void {
    const context = this.#context;
    const viewSize = this.#map.getSize();
    if (!context || viewSize.x === 0 || viewSize.y === 0) return;
    const margin = viewSize.multiplyBy(MARGIN).round();
    const layerPoint = this.#map.containerPointToLayerPoint([-margin.x, -margin.y]).round();
    this.#zoom = this.#map.getZoom();
    this.#topLeft = layerPoint.add(this.#map.getPixelOrigin());
    this.#size = viewSize.add(margin.multiplyBy(2));
    this.#resizeCanvas(context);
    leaflet.DomUtil.setTransform(this.#canvas, layerPoint, 1);

    const { x: left, y: top } = this.#topLeft;
    const { x: width, y: height } = this.#size;
    const scale = worldSizePx(this.#zoom);
    context.save();
    this.#paint({
      context,
      width,
      height,
      scale,
      left,
      top,
      zoom: this.#zoom,
      box: {
        minX: left / scale,
        minY: top / scale,
        maxX: (left + width) / scale,
        maxY: (top + height) / scale,
      },
    });
    context.restore();
  }

  #resizeCanvas(context: CanvasRenderingContext2D): void {
    const ratio = window.devicePixelRatio;
    const width = Math.round(this.#size.x * ratio);
    const height = Math.round(this.#size.y * ratio);
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#canvas.style.width = `${this.#size.x}px`;
      this.#canvas.style.height = `${this.#size.y}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.#size.x, this.#size.y);
  }
}
