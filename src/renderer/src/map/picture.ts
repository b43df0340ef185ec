import type { Map as LeafletMap, Point } from 'leaflet';
import type { CanvasFrame } from './map-canvas.ts';
import { leaflet } from './leaflet.ts';
import { worldSizePx } from './mercator.ts';

/** A canvas and the piece of the world that is, or is being, painted on it. */
export class Picture {
  readonly element: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  /** Pixels of the world at `#zoom` where the picture begins. */
  #topLeft: Point = leaflet.point(0, 0);
  #size: Point = leaflet.point(0, 0);
  #zoom = NaN;

  constructor() {
    this.element = leaflet.DomUtil.create('canvas', 'map-canvas leaflet-zoom-animated');
    this.element.setAttribute('aria-hidden', 'true');
    this.#context = this.element.getContext('2d');
  }

  /** Clears the canvas for the current view and a margin (a part of the view's size) around it; null without a view. */
  begin(map: LeafletMap, margin: number): CanvasFrame | null {
    const context = this.#context;
    const viewSize = map.getSize();
    if (!context || viewSize.x === 0 || viewSize.y === 0) return null;
    const extra = viewSize.multiplyBy(margin).round();
    const layerPoint = map.containerPointToLayerPoint([-extra.x, -extra.y]).round();
    this.#zoom = map.getZoom();
    this.#topLeft = layerPoint.add(map.getPixelOrigin());
    this.#size = viewSize.add(extra.multiplyBy(2));
    this.#clear(context);

    const { x: left, y: top } = this.#topLeft;
    const { x: width, y: height } = this.#size;
    const scale = worldSizePx(this.#zoom);
    const box = {
      minX: left / scale,
      minY: top / scale,
      maxX: (left + width) / scale,
      maxY: (top + height) / scale,
    };
    return { context, width, height, scale, left, top, zoom: this.#zoom, box };
  }

  /** Puts the canvas where its piece of the world is on a map with this zoom and pixel origin. */
  place(map: LeafletMap, zoom: number, pixelOrigin: Point): void {
    const factor = map.getZoomScale(zoom, this.#zoom);
    leaflet.DomUtil.setTransform(
      this.element,
      this.#topLeft.multiplyBy(factor).subtract(pixelOrigin),
      factor,
    );
  }

  /** Whether it was made for the map's zoom and covers the view and a margin around it. */
  covers(map: LeafletMap, margin: number): boolean {
    const { min, max } = map.getPixelBounds();
    if (!min || !max || map.getZoom() !== this.#zoom) return false;
    const extra = map.getSize().multiplyBy(margin);
    const end = this.#topLeft.add(this.#size);
    return (
      min.x - extra.x >= this.#topLeft.x &&
      min.y - extra.y >= this.#topLeft.y &&
      max.x + extra.x <= end.x &&
      max.y + extra.y <= end.y
    );
  }

  #clear(context: CanvasRenderingContext2D): void {
    const { element } = this;
    const ratio = window.devicePixelRatio;
    const width = Math.round(this.#size.x * ratio);
    const height = Math.round(this.#size.y * ratio);
    if (element.width !== width || element.height !== height) {
      element.width = width;
      element.height = height;
      element.style.width = `${this.#size.x}px`;
      element.style.height = `${this.#size.y}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.#size.x, this.#size.y);
  }
}
