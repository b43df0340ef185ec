import type { Map as LeafletMap, Point } from 'leaflet';
import type { WorldBox } from './footprint-set.ts';
import { leaflet } from './leaflet.ts';
import { worldSizePx } from '#shared/geo/mercator.ts';

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
  /** What has to be drawn, in world units: all of the picture, or the strip that a pan brought into it. */
  box: WorldBox;
  /** What the whole picture covers, in world units. */
  whole: WorldBox;
}

/** A rectangle in CSS pixels of a picture. */
export interface PictureStrip {
  x: number;
  y: number;
  width: number;
  height: number;
}

// Lines reach beyond what they mark by half their width and their casing.
const STRIP_BLEED_PX = 6;

// Pictures begin and end at multiples of this, whole pixels of the screen at the usual scales: 125 %, 150 %, 175 %.
const GRID_PX = 4;

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
    const viewSize = map.getSize();
    if (!this.#context || viewSize.x === 0 || viewSize.y === 0) return null;
    const extra = viewSize.multiplyBy(margin);
    const layerPoint = map.containerPointToLayerPoint([-extra.x, -extra.y]);
    this.#zoom = map.getZoom();
    this.#topLeft = onGrid(layerPoint.add(map.getPixelOrigin()));
    this.#size = onGrid(viewSize.add(extra.multiplyBy(2))).add([GRID_PX * 2, GRID_PX * 2]);
    this.#clear(this.#context);
    const { x: width, y: height } = this.#size;
    return this.#frameOf(this.#context, { x: 0, y: 0, width, height });
  }

  /**
   * Takes over what another picture shows of this one's place, pixel by pixel. Gives the strips that are still to be
   * painted; null when nothing could be taken over. Call it after `begin`.
   */
  takeFrom(other: Picture): PictureStrip[] | null {
    const ratio = window.devicePixelRatio;
    const { x, y } = other.#topLeft.subtract(this.#topLeft);
    const isAligned = Number.isInteger(x * ratio) && Number.isInteger(y * ratio);
    const { x: width, y: height } = this.#size;
    const isNear = Math.abs(x) < width && Math.abs(y) < height;
    if (!this.#context || other.#zoom !== this.#zoom || !other.#size.equals(this.#size)) return null;
    if (!isAligned || !isNear) return null;
    this.#context.save();
    this.#context.setTransform(1, 0, 0, 1, 0, 0);
    this.#context.drawImage(other.element, x * ratio, y * ratio);
    this.#context.restore();
    const strips = [
      { x: x > 0 ? 0 : width + x, y: 0, width: Math.abs(x), height },
      { x: Math.max(0, x), y: y > 0 ? 0 : height + y, width: width - Math.abs(x), height: Math.abs(y) },
    ];
    return strips.filter((strip) => strip.width > 0 && strip.height > 0);
  }

  /** The frame to paint one strip of this picture with; the context paints nowhere else until `endStrip`. */
  beginStrip(frame: CanvasFrame, strip: PictureStrip): CanvasFrame {
    const { context } = frame;
    context.save();
    context.beginPath();
    context.rect(strip.x, strip.y, strip.width, strip.height);
    context.clip();
    return this.#frameOf(context, {
      x: strip.x - STRIP_BLEED_PX,
      y: strip.y - STRIP_BLEED_PX,
      width: strip.width + 2 * STRIP_BLEED_PX,
      height: strip.height + 2 * STRIP_BLEED_PX,
    });
  }

  /** Lets the context paint everywhere again. */
  endStrip({ context }: CanvasFrame): void {
    context.restore();
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

  /** Whether it was made for this zoom. */
  isOfZoom(zoom: number): boolean {
    return zoom === this.#zoom;
  }

  /** Whether it was made for the map's zoom and size, and covers the view and a margin around it. */
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

  #frameOf(context: CanvasRenderingContext2D, part: PictureStrip): CanvasFrame {
    const { x: left, y: top } = this.#topLeft;
    const { x: width, y: height } = this.#size;
    const scale = worldSizePx(this.#zoom);
    const toBox = ({ x, y, width: w, height: h }: PictureStrip): WorldBox => ({
      minX: (left + x) / scale,
      minY: (top + y) / scale,
      maxX: (left + x + w) / scale,
      maxY: (top + y + h) / scale,
    });
    const whole = toBox({ x: 0, y: 0, width, height });
    return { context, width, height, scale, left, top, zoom: this.#zoom, box: toBox(part), whole };
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
    // A picture that was given up in the middle leaves its clip and styles behind.
    context.reset();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
}

function onGrid(point: Point): Point {
  return leaflet.point(Math.floor(point.x / GRID_PX) * GRID_PX, Math.floor(point.y / GRID_PX) * GRID_PX);
}
