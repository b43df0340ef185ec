import { deflateSync } from 'node:zlib';
import type { Picture } from '../imagery/render-scene.ts';
import type { RasterFrame } from './raster-frame.ts';
import { directoryBytes, geoTags, writeDirectory, type Tag } from './tiff-tags.ts';

const tileSide = 256;
const samples = 3;
const headerBytes = 8;

interface Level {
  columns: number;
  rows: number;
  rgb: Uint8Array;
  tiles: Buffer[];
}

/**
 * The picture as a Cloud-Optimized GeoTIFF: all directories first, largest picture first; then the pixels, smallest
 * overview first, so that a reader gets an overview with few requests.
 */
export function encodeCog({ columns, rows, rgb, frame }: Picture): Buffer {
  const levels: Level[] = [{ columns, rows, rgb, tiles: [] }];
  for (
    let level = levels[0];
    level && Math.max(level.columns, level.rows) > tileSide;
    level = levels.at(-1)
  ) {
    levels.push(halve(level));
  }
  for (const level of levels) level.tiles = compressTiles(level);

  const sizes = levels.map((level, i) =>
    directoryBytes(tagsOf(level, { isOverview: i > 0, offsets: zeros(level), frame }), false),
  );
  const directoryAt = sizes.map(
    (_, i) => headerBytes + sizes.slice(0, i).reduce((sum, size) => sum + even(size), 0),
  );
  let position = headerBytes + sizes.reduce((sum, size) => sum + even(size), 0);
  const offsets: number[][] = levels.map(() => []);
  const pixels: Buffer[] = [];
  for (let i = levels.length - 1; i >= 0; i -= 1) {
    for (const tile of levels[i]?.tiles ?? []) {
      offsets[i]?.push(position);
      pixels.push(tile);
      position += tile.byteLength;
    }
  }
  const directories = levels.map((level, i) => {
    const tags = tagsOf(level, { isOverview: i > 0, offsets: offsets[i] ?? [], frame });
    const bytes = writeDirectory(tags, {
      offset: directoryAt[i] ?? 0,
      next: directoryAt[i + 1] ?? 0,
      isBigTiff: false,
    });
    return bytes.byteLength % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]);
  });
  const header = Buffer.from('II*\0\0\0\0\0', 'latin1');
  header.writeUInt32LE(headerBytes, 4);
  return Buffer.concat([header, ...directories, ...pixels]);
}

function tagsOf(
  level: Level,
  { isOverview, offsets, frame }: { isOverview: boolean; offsets: readonly number[]; frame: RasterFrame },
): Tag[] {
  const counts = level.tiles.map((tile) => tile.byteLength);
  return [
    { id: 254, type: 4, values: [isOverview ? 1 : 0] },
    { id: 256, type: 4, values: [level.columns] },
    { id: 257, type: 4, values: [level.rows] },
    { id: 258, type: 3, values: [8, 8, 8] },
    { id: 259, type: 3, values: [8] },
    { id: 262, type: 3, values: [2] },
    { id: 277, type: 3, values: [samples] },
    { id: 284, type: 3, values: [1] },
    { id: 317, type: 3, values: [2] },
    { id: 322, type: 3, values: [tileSide] },
    { id: 323, type: 3, values: [tileSide] },
    { id: 324, type: 4, values: offsets },
    { id: 325, type: 4, values: counts },
    ...(isOverview ? [] : geoTags(frame)),
  ];
}

/** Half as large, each pixel the mean of four. */
function halve({ columns, rows, rgb }: Level): Level {
  const [width, height] = [Math.ceil(columns / 2), Math.ceil(rows / 2)];
  const half = new Uint8Array(width * height * samples);
  for (let row = 0; row < height; row += 1) {
    const top = row * 2 * columns;
    const bottom = Math.min(rows - 1, row * 2 + 1) * columns;
    for (let column = 0; column < width; column += 1) {
      const left = column * 2;
      const right = Math.min(columns - 1, left + 1);
      for (let s = 0; s < samples; s += 1) {
        const sum =
          (rgb[(top + left) * samples + s] as number) +
          (rgb[(top + right) * samples + s] as number) +
          (rgb[(bottom + left) * samples + s] as number) +
          (rgb[(bottom + right) * samples + s] as number);
        half[(row * width + column) * samples + s] = (sum + 2) >> 2;
      }
    }
  }
  return { columns: width, rows: height, rgb: half, tiles: [] };
}

function compressTiles({ columns, rows, rgb }: Level): Buffer[] {
  const tiles: Buffer[] = [];
  for (let top = 0; top < rows; top += tileSide) {
    for (let left = 0; left < columns; left += tileSide) {
      const tile = new Uint8Array(tileSide * tileSide * samples);
      const width = Math.min(tileSide, columns - left) * samples;
      for (let row = 0; row < Math.min(tileSide, rows - top); row += 1) {
        const from = ((top + row) * columns + left) * samples;
        differentiate(rgb.subarray(from, from + width), tile.subarray(row * tileSide * samples));
      }
      tiles.push(deflateSync(tile, { level: 4 }));
    }
  }
  return tiles;
}

/** Each sample becomes the difference to the one before it (TIFF predictor 2); beyond the picture there is black. */
function differentiate(row: Uint8Array, target: Uint8Array): void {
  for (let i = 0; i < tileSide * samples; i += 1) {
    const before = i < samples ? 0 : (row[i - samples] ?? 0);
    target[i] = (row[i] ?? 0) - before;
  }
}

function zeros(level: Level): number[] {
  return level.tiles.map(() => 0);
}

function even(bytes: number): number {
  return bytes + (bytes % 2);
}
