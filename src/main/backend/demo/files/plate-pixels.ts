import { createRandom, hashText, mixBits } from '../random.ts';
import { kindOf, type PixelMeaning, type Plate } from './plate-kinds.ts';
import { blockBytes, layoutOf, tileSide } from './plate-layout.ts';

/** Ground that repeats every tile; laid over a base that differs from tile to tile, no two tiles are alike. */
const texture = createTexture();

/** Fills 64 KiB with the pixels of one block of a plate. The same block is always the same. */
export function fillBlock(plate: Plate, block: number, target: Uint8Array): void {
  const kind = kindOf(plate);
  const { tilesAcross, tilesDown, tileBytes } = layoutOf(kind);
  const blocksPerTile = tileBytes / blockBytes;
  const tile = Math.floor(block / blocksPerTile);
  const firstRow = (block % blocksPerTile) * (tileSide / blocksPerTile);
  const perBand = tilesAcross * tilesDown;
  const band = Math.floor(tile / perBand);
  const [x, y] = [tile % tilesAcross, Math.floor((tile % perBand) / tilesAcross)];
  const seed = mixBits(hashText(plate.name), plate.variant, band);
  const corners = [
    level(seed, x, y),
    level(seed, x + 1, y),
    level(seed, x, y + 1),
    level(seed, x + 1, y + 1),
  ] as const;
  const { samples, convert } = openSamples(target, kind.bytesPerSample, kind.meaning);
  const rows = tileSide / blocksPerTile;
  for (let row = 0; row < rows; row += 1) {
    const down = (firstRow + row) / tileSide;
    const left = corners[0] + (corners[2] - corners[0]) * down;
    const right = corners[1] + (corners[3] - corners[1]) * down;
    convert(samples, { at: row * tileSide, texture: (firstRow + row) * tileSide, left, right });
  }
}

interface Row {
  /** Index of its first sample. */
  at: number;
  /** Index of its first texel. */
  texture: number;
  /** Base level at its ends, 0 to 4095. */
  left: number;
  right: number;
}

type Samples = Uint8Array | Uint16Array | Float32Array;

function openSamples(
  target: Uint8Array,
  bytesPerSample: 1 | 2 | 4,
  meaning: PixelMeaning,
): { samples: Samples; convert: (samples: Samples, row: Row) => void } {
  const { buffer, byteOffset } = target;
  const count = blockBytes / bytesPerSample;
  if (bytesPerSample === 4)
    return { samples: new Float32Array(buffer, byteOffset, count), convert: writeScaled };
  const samples =
    bytesPerSample === 2
      ? new Uint16Array(buffer, byteOffset, count)
      : new Uint8Array(buffer, byteOffset, count);
  const classes = classTables[meaning];
  return { samples, convert: classes ? (into, row) => writeClasses(into, row, classes) : writeLevels };
}

function writeLevels(samples: Samples, { at, texture: texel, left, right }: Row): void {
  const step = (right - left) / tileSide;
  let base = left + 600;
  for (let i = 0; i < tileSide; i += 1) {
    samples[at + i] = base + (texture[texel + i] as number);
    base += step;
  }
}

/** Radar intensity (gamma nought, linear): dark water to bright towns. */
function writeScaled(samples: Samples, { at, texture: texel, left, right }: Row): void {
  const step = (right - left) / tileSide;
  let base = left + 300;
  for (let i = 0; i < tileSide; i += 1) {
    samples[at + i] = (base + (texture[texel + i] as number)) * 0.00008;
    base += step;
  }
}

function writeClasses(
  samples: Samples,
  { at, texture: texel, left, right }: Row,
  classes: Uint16Array,
): void {
  const step = (right - left) / tileSide;
  let base = left + 400;
  for (let i = 0; i < tileSide; i += 1) {
    samples[at + i] = classes[((base + (texture[texel + i] as number)) | 0) >> 8] as number;
    base += step;
  }
}

/** Class by level (0 to 4895, cut into steps of 256). */
const classTables: Partial<Record<PixelMeaning, Uint16Array>> = {
  'scene-class': Uint16Array.of(6, 6, 6, 2, 4, 4, 4, 4, 4, 5, 5, 5, 4, 5, 7, 10, 8, 9, 9, 9),
  'cloud-mask': Uint16Array.of(2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 4, 4, 4, 4),
  'quality-bits': Uint16Array.of(
    21952,
    21952,
    21952,
    23888,
    21824,
    21824,
    21824,
    21824,
    21824,
    21824,
    21824,
    21824,
    21824,
    21824,
    54596,
    54596,
    22280,
    22280,
    22280,
    22280,
  ),
  forest: Uint16Array.of(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
};

/** Base level at a corner of a tile, 0 to 4095: smooth over four tiles, rougher from one to the next. */
function level(seed: number, x: number, y: number): number {
  const coarse = (dx: number, dy: number): number => mixBits(seed, (x >> 2) + dx, (y >> 2) + dy) / 2 ** 32;
  const [fx, fy] = [(x & 3) / 4, (y & 3) / 4];
  const top = coarse(0, 0) * (1 - fx) + coarse(1, 0) * fx;
  const bottom = coarse(0, 1) * (1 - fx) + coarse(1, 1) * fx;
  const fine = mixBits(seed, x, y, 77) / 2 ** 32;
  return (0.65 * (top * (1 - fy) + bottom * fy) + 0.35 * fine) * 4095;
}

/** Patches and grain, -400 to 400, that continue at their own edges. */
function createTexture(): Int16Array {
  const sum = new Float32Array(tileSide * tileSide);
  for (const [cells, height] of [
    [8, 120],
    [32, 110],
    [128, 90],
    [512, 70],
  ] as const) {
    const random = createRandom(11, cells);
    const lattice = Float32Array.from({ length: cells * cells }, () => random.next() * 2 - 1);
    const scale = cells / tileSide;
    for (let y = 0; y < tileSide; y += 1) {
      for (let x = 0; x < tileSide; x += 1) {
        const [column, row] = [Math.floor(x * scale), Math.floor(y * scale)];
        const [fx, fy] = [x * scale - column, y * scale - row];
        const at = (dx: number, dy: number): number =>
          lattice[((row + dy) % cells) * cells + ((column + dx) % cells)] as number;
        const top = at(0, 0) * (1 - fx) + at(1, 0) * fx;
        const bottom = at(0, 1) * (1 - fx) + at(1, 1) * fx;
        sum[y * tileSide + x] = (sum[y * tileSide + x] as number) + (top * (1 - fy) + bottom * fy) * height;
      }
    }
  }
  return Int16Array.from(sum);
}
