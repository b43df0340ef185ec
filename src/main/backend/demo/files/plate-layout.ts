import { kindOf, type Plate, type PlateKind } from './plate-kinds.ts';
import type { RasterFrame } from './raster-frame.ts';
import { geoTags, writeDirectory, type Tag } from './tiff-tags.ts';

/** Side of a TIFF tile in pixels. */
export const tileSide = 512;
/** Pixels are made in blocks of this size: some rows of one tile. */
export const blockBytes = 65_536;

const alignment = 4096;

/** How the file of a plate is laid out: header and tables, pixels, directory. Only the directory knows the place. */
export interface PlateLayout {
  isBigTiff: boolean;
  tileBytes: number;
  tilesAcross: number;
  tilesDown: number;
  /** All bands; the tiles of a band follow each other. */
  tileCount: number;
  pixelsStart: number;
  pixelsEnd: number;
}

/** The layout of a kind of plate. */
export function layoutOf(kind: PlateKind): PlateLayout {
  const tileBytes = tileSide * tileSide * kind.bytesPerSample;
  const tilesAcross = Math.ceil(kind.columns / tileSide);
  const tilesDown = Math.ceil(kind.rows / tileSide);
  const tileCount = tilesAcross * tilesDown * kind.bands;
  const isBigTiff = tileCount * tileBytes > 0xf000_0000;
  const tables = tableOffsets({ tileCount, isBigTiff });
  const pixelsStart = Math.ceil(tables.end / alignment) * alignment;
  const pixelsEnd = pixelsStart + tileCount * tileBytes;
  return { isBigTiff, tileBytes, tilesAcross, tilesDown, tileCount, pixelsStart, pixelsEnd };
}

/** Everything before the pixels: the same for every place, so that a hash can be kept of it and of the pixels. */
export function writePrefix(kind: PlateKind): Buffer {
  const layout = layoutOf(kind);
  const bytes = Buffer.alloc(layout.pixelsStart);
  bytes.write('II');
  if (layout.isBigTiff) {
    bytes.writeUInt16LE(43, 2);
    bytes.writeUInt16LE(8, 4);
    bytes.writeBigUInt64LE(BigInt(layout.pixelsEnd), 8);
  } else {
    bytes.writeUInt16LE(42, 2);
    bytes.writeUInt32LE(layout.pixelsEnd, 4);
  }
  const tables = tableOffsets(layout);
  for (let tile = 0; tile < layout.tileCount; tile += 1) {
    const offset = layout.pixelsStart + tile * layout.tileBytes;
    if (layout.isBigTiff) bytes.writeBigUInt64LE(BigInt(offset), tables.offsets + tile * 8);
    else bytes.writeUInt32LE(offset, tables.offsets + tile * 4);
    bytes.writeUInt32LE(layout.tileBytes, tables.counts + tile * 4);
  }
  return bytes;
}

/** Everything behind the pixels: the directory, which puts the raster on its place. */
export function writeTail(plate: Plate, frame: RasterFrame): Buffer {
  const kind = kindOf(plate);
  const layout = layoutOf(kind);
  const tables = tableOffsets(layout);
  const isSingle = kind.bands === 1;
  const short = (id: number, value: number): Tag => ({ id, type: 3, values: [value] });
  const perBand = (id: number, value: number): Tag => ({
    id,
    type: 3,
    values: Array<number>(kind.bands).fill(value),
  });
  const tags: Tag[] = [
    short(256, kind.columns),
    short(257, kind.rows),
    perBand(258, kind.bytesPerSample * 8),
    short(259, 1),
    short(262, 1),
    short(277, kind.bands),
    short(284, isSingle ? 1 : 2),
    short(322, tileSide),
    short(323, tileSide),
    {
      id: 324,
      type: layout.isBigTiff ? 16 : 4,
      values: [],
      at: { offset: tables.offsets, count: layout.tileCount },
    },
    { id: 325, type: 4, values: [], at: { offset: tables.counts, count: layout.tileCount } },
    ...(isSingle ? [] : [{ id: 338, type: 3, values: Array<number>(kind.bands - 1).fill(0) } as const]),
    perBand(339, kind.isFloat ? 3 : 1),
    ...geoTags(frame),
  ];
  return writeDirectory(tags, { offset: layout.pixelsEnd, next: 0, isBigTiff: layout.isBigTiff });
}

interface TableOffsets {
  offsets: number;
  counts: number;
  end: number;
}

function tableOffsets(of: { tileCount: number; isBigTiff: boolean }): TableOffsets {
  const offsets = 16;
  const counts = offsets + of.tileCount * (of.isBigTiff ? 8 : 4);
  return { offsets, counts, end: counts + of.tileCount * 4 };
}
