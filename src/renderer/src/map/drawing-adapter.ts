import type { Position } from 'geojson';
import type { GeoJSONStoreFeatures, TerraDrawChanges } from 'terra-draw';
import { TerraDrawLeafletAdapter } from 'terra-draw-leaflet-adapter';
import type { Map as LeafletMap } from 'leaflet';
import { leaflet } from './leaflet.ts';
import { MapCanvas } from './map-canvas.ts';
import type { MapTheme } from './map-theme.ts';
import type { CanvasFrame } from './picture.ts';
import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';

/**
 * terra-draw on our map. The adapter's own rendering writes `<style>` elements, which the content security policy forbids,
 * and knows neither dashes nor casings; so what is being drawn goes onto a canvas of ours.
 */
export class DrawingAdapter extends TerraDrawLeafletAdapter {
  readonly #features = new Map<string | number, GeoJSONStoreFeatures>();
  readonly #canvas: MapCanvas;
  readonly #leafletMap: LeafletMap;
  readonly #themeOf: () => MapTheme;
  /** Where dragging draws, the map must not move. */
  #isPanLocked = false;

  constructor(map: LeafletMap, themeOf: () => MapTheme) {
    super({ lib: leaflet, map, coordinatePrecision: 9 });
    this.#leafletMap = map;
    this.#themeOf = themeOf;
    this.#canvas = new MapCanvas(map, {
      pane: 'drawing',
      zIndex: 460,
      isNeeded: () => this.#features.size > 0,
      paint: (frame) => this.#paint(frame),
    });
  }

  /** Forbids or allows panning by drag. */
  lockPan(isLocked: boolean): void {
    this.#isPanLocked = isLocked;
    this.setDraggability(!isLocked);
  }

  override setDraggability(isEnabled: boolean): void {
    if (isEnabled && !this.#isPanLocked) this.#leafletMap.dragging.enable();
    else this.#leafletMap.dragging.disable();
  }

  /** Left to the drawing tool: the double click that ends a polygon must not zoom. */
  override setDoubleClickToZoom(): void {}

  override render(changes: TerraDrawChanges): void {
    for (const id of changes.deletedIds) this.#features.delete(id);
    for (const feature of [...changes.created, ...changes.updated]) {
      if (feature.id !== undefined) this.#features.set(feature.id, feature);
    }
    this.#canvas.requestPaint();
  }

  override clear(): void {
    super.clear();
    this.#features.clear();
    this.#canvas.requestPaint();
  }

  /** Draws again, in other colours perhaps. */
  requestPaint(): void {
    this.#canvas.requestPaint();
  }

  /** Takes the canvas off the map. */
  destroy(): void {
    this.#canvas.destroy();
  }

  #paint(frame: CanvasFrame): void {
    const theme = this.#themeOf();
    const features = [...this.#features.values()];
    for (const { geometry } of features) {
      if (geometry.type === 'Polygon') paintOutline(frame, geometry.coordinates[0] ?? [], theme);
      else if (geometry.type === 'LineString') paintOutline(frame, geometry.coordinates, theme);
    }
    for (const { geometry, properties } of features) {
      if (geometry.type === 'Point') {
        const isSmall = properties['midPoint'] === true || properties['coordinatePoint'] === true;
        paintHandle(frame, geometry.coordinates, { theme, isSmall });
      }
    }
  }
}

function paintOutline(frame: CanvasFrame, positions: readonly Position[], theme: MapTheme): void {
  const { context } = frame;
  const path = new Path2D();
  positions.forEach((position, i) => {
    const [x, y] = toPixels(frame, position);
    if (i === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  });
  context.lineJoin = 'round';
  context.fillStyle = theme.aoi;
  context.globalAlpha = 0.1;
  context.fill(path);
  context.globalAlpha = 1;
  context.strokeStyle = theme.surface;
  context.lineWidth = 4.5;
  context.stroke(path);
  context.strokeStyle = theme.aoi;
  context.lineWidth = 2;
  context.stroke(path);
}

function paintHandle(
  frame: CanvasFrame,
  position: Position,
  { theme, isSmall }: { theme: MapTheme; isSmall: boolean },
): void {
  const { context } = frame;
  const [x, y] = toPixels(frame, position);
  context.beginPath();
  context.arc(x, y, isSmall ? 3.5 : 6, 0, Math.PI * 2);
  context.fillStyle = isSmall ? theme.aoi : theme.surface;
  context.strokeStyle = isSmall ? theme.surface : theme.aoi;
  context.lineWidth = isSmall ? 1.5 : 2.5;
  context.fill();
  context.stroke();
}

function toPixels(
  { scale, left, top }: CanvasFrame,
  [longitude = 0, latitude = 0]: Position,
): [number, number] {
  return [toWorldX(longitude) * scale - left, toWorldY(latitude) * scale - top];
}
