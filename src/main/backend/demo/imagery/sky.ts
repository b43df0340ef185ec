import type { RasterFrame } from '../files/raster-frame.ts';
import { createRandom } from '../random.ts';
import { fractalNoise, smoothstep } from './noise.ts';
import { pixelKm } from './terrain.ts';

/** Clouds over each pixel, 0 to 1, and how far their shadows fall, in pixels. */
export interface Sky {
  cloud: Float32Array;
  /** Brightness of the cloud's top, 0 to 1. */
  tone: Float32Array;
  shadowColumns: number;
  shadowRows: number;
}

const samplesAcross = 48;

/**
 * Clouds over a share of what is `inside`: the noise is cut at the height above which that share lies.
 * Null when there are none.
 */
export function drawSky(
  frame: RasterFrame,
  options: {
    seed: number;
    share: number;
    sunElevation: number;
    sunAzimuth: number;
    isInside: (column: number, row: number) => boolean;
  },
): Sky | null {
  if (options.share <= 0.0004) return null;
  const density = openDensity(frame, options.seed);
  const threshold = thresholdFor(frame, density, options);
  const { columns, rows } = frame;
  const cloud = new Float32Array(columns * rows);
  const tone = new Float32Array(columns * rows);
  const soft = 0.035 + 0.04 * options.share;
  for (let row = 0, i = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1, i += 1) {
      const thickness = density(column, row) - threshold;
      cloud[i] = smoothstep(-soft, soft, thickness);
      tone[i] = Math.min(1, 0.72 + thickness * 1.5);
    }
  }
  const reachKm = 2.4 / Math.tan((Math.max(12, options.sunElevation) * Math.PI) / 180);
  const azimuth = (options.sunAzimuth * Math.PI) / 180;
  const reach = reachKm / pixelKm(frame);
  return {
    cloud,
    tone,
    shadowColumns: Math.round(-Math.sin(azimuth) * reach),
    shadowRows: Math.round(Math.cos(azimuth) * reach),
  };
}

/** Noise of this sky: each has its size of clouds and direction of wind. */
function openDensity(frame: RasterFrame, seed: number): (column: number, row: number) => number {
  const random = createRandom(seed, 5);
  const sceneKm = frame.columns * pixelKm(frame);
  const sizeKm = Math.min(random.between(10, 46), sceneKm / 2.5);
  const angle = random.between(0, Math.PI);
  const stretch = random.between(1, 2.4);
  const [cos, sin] = [Math.cos(angle) / sizeKm, Math.sin(angle) / sizeKm];
  const [offsetX, offsetY] = [random.between(0, 250), random.between(0, 250)];
  const kmPerPixel = pixelKm(frame);
  return (column, row) => {
    const x = (column + 0.5) * kmPerPixel;
    const y = (row + 0.5) * kmPerPixel;
    return fractalNoise((x * cos - y * sin) / stretch + offsetX, x * sin + y * cos + offsetY, 6);
  };
}

function thresholdFor(
  frame: RasterFrame,
  density: (column: number, row: number) => number,
  { share, isInside }: { share: number; isInside: (column: number, row: number) => boolean },
): number {
  const heights: number[] = [];
  for (let i = 0; i < samplesAcross * samplesAcross; i += 1) {
    const column = (((i % samplesAcross) + 0.5) / samplesAcross) * frame.columns;
    const row = ((Math.floor(i / samplesAcross) + 0.5) / samplesAcross) * frame.rows;
    if (isInside(column, row)) heights.push(density(column, row));
  }
  heights.sort((a, b) => b - a);
  if (share >= 0.995) return (heights.at(-1) ?? 0) - 0.1;
  return heights[Math.min(heights.length - 1, Math.floor(share * heights.length))] ?? 1;
}
