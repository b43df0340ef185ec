import type { VectorTile, VectorTileFeature } from '@mapbox/vector-tile';
import { kindOf, plainRules, tileRules, type TileRule, type VectorTileColours } from './vector-tile-style.ts';

/** What a tile is painted with. */
export interface TilePainting {
  sizePx: number;
  zoom: number;
  colours: VectorTileColours;
}

// The numbers of the format: 2 is a line, 3 a polygon.
const typeOf = { line: 2, polygon: 3 };

/** Paints a whole tile, ground included. */
export function paintVectorTile(
  context: Pick<CanvasRenderingContext2D, 'fillRect' | 'fill' | 'stroke' | 'setLineDash'> & {
    fillStyle: unknown;
    strokeStyle: unknown;
    lineWidth: number;
    lineJoin: string;
    lineCap: string;
  },
  tile: VectorTile,
  { sizePx, zoom, colours }: TilePainting,
): void {
  const names = Object.keys(tile.layers);
  const isKnown = tileRules.some(({ layers }) => layers.some((layer) => names.includes(layer)));
  // OpenMapTiles has no layer of land: it is what is not water.
  context.fillStyle = names.includes('earth') ? colours.sea : colours.land;
  context.fillRect(0, 0, sizePx, sizePx);
  context.lineJoin = 'round';
  context.lineCap = 'butt';
  for (const rule of isKnown ? tileRules : plainRules) {
    if (zoom < (rule.minZoom ?? 0)) continue;
    const layers = isKnown ? rule.layers : names;
    const path = new Path2D();
    for (const layer of layers) traceLayer(tile, { layer, rule, sizePx }, path);
    const colour = colours[rule.colour];
    if (rule.widthPx) {
      context.strokeStyle = colour;
      context.lineWidth = rule.widthPx(zoom);
      context.setLineDash([...(rule.dash ?? [])]);
      context.stroke(path);
    } else {
      context.fillStyle = colour;
      // Rings of the format tell area from hole by their direction. Even-odd would cut a hole where two areas overlap.
      context.fill(path, 'nonzero');
    }
  }
}

function traceLayer(
  tile: VectorTile,
  { layer: name, rule, sizePx }: { layer: string; rule: TileRule; sizePx: number },
  path: Path2D,
): void {
  const layer = tile.layers[name];
  if (!layer) return;
  for (let i = 0; i < layer.length; i++) {
    const feature = layer.feature(i);
    if (feature.type !== typeOf[rule.geometry]) continue;
    if (rule.kinds && !rule.kinds.includes(kindOf(feature.properties))) continue;
    traceFeature(feature, sizePx / layer.extent, path);
  }
}

function traceFeature(feature: VectorTileFeature, scale: number, path: Path2D): void {
  for (const ring of feature.loadGeometry()) {
    ring.forEach(({ x, y }, i) =>
      i === 0 ? path.moveTo(x * scale, y * scale) : path.lineTo(x * scale, y * scale),
    );
    if (feature.type === typeOf.polygon) path.closePath();
  }
}
