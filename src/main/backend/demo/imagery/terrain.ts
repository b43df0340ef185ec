import { resampleFrame, type RasterFrame } from '../files/raster-frame.ts';
import { fractalNoise, noise, ridgedNoise, smoothstep } from './noise.ts';
import type { PlaceGrid } from './place-grid.ts';
import { drawLand } from './land-raster.ts';

/** The lie of the land under each pixel. */
export interface Terrain {
  columns: number;
  rows: number;
  /** Height, 0 to about 1. */
  height: Float32Array;
  /** 0 dry, 1 open water, between: shallow and shore. */
  water: Float32Array;
  /** Whether water is sea. */
  isSea: Uint8Array;
}

const marginShare = 0.06;

/** Draws heights, seas by the real coastlines, rivers and lakes. */
export function drawTerrain(frame: RasterFrame, places: PlaceGrid): Terrain {
  const { columns, rows } = frame;
  const kmPerPixel = pixelKm(frame);
  const coast = openCoast(frame);
  const height = new Float32Array(columns * rows);
  const water = new Float32Array(columns * rows);
  const isSea = new Uint8Array(columns * rows);
  const riverWidth = Math.max(0.0045, kmPerPixel * 0.011);
  for (let row = 0, i = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1, i += 1) {
      const { xKm, yKm, moisture, relief, lat } = places.read(column, row);
      const hills = fractalNoise(xKm / 26, yKm / 26, 5);
      const crests = relief > 0.15 ? ridgedNoise(xKm / 21, yKm / 21, 5) : 0;
      const alpine = smoothstep(0.15, 0.6, relief);
      height[i] = hills * 0.3 + (0.35 * hills + 0.65 * crests) * alpine * (0.3 + 0.7 * relief);
      // The coastlines are good to a kilometre or two: below that they are roughened, not straight.
      if (coast.hasSea) {
        const roughX = (fractalNoise(xKm / 3.4, yKm / 3.4, 3) - 0.5) * 6;
        const roughY = (fractalNoise(xKm / 3.4 + 71, yKm / 3.4, 3) - 0.5) * 6;
        isSea[i] = coast.isSeaAt(column + roughX / kmPerPixel, row + roughY / kmPerPixel) ? 1 : 0;
      }
      if (isSea[i] === 1) {
        water[i] = 1;
        continue;
      }
      const bend = (noise(xKm / 7, yKm / 7) - 0.5) * 0.18;
      const course = Math.abs(fractalNoise(xKm / 58 + 5 + bend, yKm / 58 + bend, 3) - 0.5);
      const wetness = smoothstep(0.16, 0.6, moisture) * (1 - 0.6 * smoothstep(0.25, 0.8, relief));
      const river = wetness > 0.02 ? 1 - smoothstep(0.35, 1, course / (riverWidth * (0.5 + wetness))) : 0;
      const lakeLand = smoothstep(52, 60, Math.abs(lat)) * smoothstep(0.4, 0.6, moisture);
      const basin = fractalNoise(xKm / 9 + 31, yKm / 9 + 77, 4);
      const lake = 1 - smoothstep(0.0, 0.02, basin - (0.13 + 0.08 * lakeLand + 0.1 * wetness));
      water[i] = Math.max(river, lake);
    }
  }
  return { columns, rows, height, water, isSea };
}

/** Kilometres across one pixel. */
export function pixelKm(frame: RasterFrame): number {
  return frame.epsg === 4326 ? frame.pixelSize * 85 : frame.pixelSize / 1000;
}

/** Coastlines at half resolution, with a margin for roughening. */
function openCoast(frame: RasterFrame): { hasSea: boolean; isSeaAt(column: number, row: number): boolean } {
  const margin = Math.ceil(frame.columns * marginShare);
  const wide: RasterFrame = {
    ...frame,
    left: frame.left - margin * frame.pixelSize,
    top: frame.top + margin * frame.pixelSize,
    columns: frame.columns + 2 * margin,
    rows: frame.rows + 2 * margin,
  };
  const coarse = wide.columns > 700 ? resampleFrame(wide, Math.round(wide.columns / 2)) : wide;
  const land = drawLand(coarse);
  const scale = coarse.columns / wide.columns;
  const last = land.length - 1;
  return {
    hasSea: land.includes(0),
    isSeaAt(column, row) {
      const x = Math.floor((column + margin) * scale);
      const y = Math.min(coarse.rows - 1, Math.max(0, Math.floor((row + margin) * scale)));
      return land[Math.min(last, y * coarse.columns + Math.min(coarse.columns - 1, Math.max(0, x)))] === 0;
    },
  };
}
