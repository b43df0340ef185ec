import { inflateSync } from 'node:zlib';

/** One directory of a TIFF: the values of its tags by number. */
export interface TiffDirectory {
  offset: number;
  tags: Map<number, number[]>;
}

const readers: Record<number, { bytes: number; read: (file: Buffer, at: number) => number }> = {
  3: { bytes: 2, read: (file, at) => file.readUInt16LE(at) },
  4: { bytes: 4, read: (file, at) => file.readUInt32LE(at) },
  12: { bytes: 8, read: (file, at) => file.readDoubleLE(at) },
};

/** Reads the directories of a little-endian classic TIFF, in the file's order. Throws on anything that isn't one. */
export function readDirectories(file: Buffer): TiffDirectory[] {
  if (file.toString('latin1', 0, 2) !== 'II' || file.readUInt16LE(2) !== 42) throw new Error('not a TIFF');
  const directories: TiffDirectory[] = [];
  for (let offset = file.readUInt32LE(4); offset !== 0;) {
    const count = file.readUInt16LE(offset);
    const tags = new Map<number, number[]>();
    for (let i = 0; i < count; i += 1) {
      const entry = offset + 2 + i * 12;
      tags.set(file.readUInt16LE(entry), readValues(file, entry));
    }
    directories.push({ offset, tags });
    offset = file.readUInt32LE(offset + 2 + count * 12);
  }
  return directories;
}

/** The pixels of one deflated RGB tile with predictor 2, side by side. */
export function readTile(file: Buffer, directory: TiffDirectory, tile: number): Uint8Array {
  const offset = directory.tags.get(324)?.[tile] ?? 0;
  const bytes = directory.tags.get(325)?.[tile] ?? 0;
  const side = directory.tags.get(322)?.[0] ?? 0;
  const pixels = new Uint8Array(inflateSync(file.subarray(offset, offset + bytes)));
  for (let i = 0; i < pixels.length; i += 1) {
    if (i % (side * 3) >= 3) pixels[i] = (pixels[i] ?? 0) + (pixels[i - 3] ?? 0);
  }
  return pixels;
}

function readValues(file: Buffer, entry: number): number[] {
  const type = readers[file.readUInt16LE(entry + 2)];
  const count = file.readUInt32LE(entry + 4);
  if (type === undefined) throw new Error('unknown tag type');
  const at = type.bytes * count <= 4 ? entry + 8 : file.readUInt32LE(entry + 8);
  return Array.from({ length: count }, (_, i) => type.read(file, at + i * type.bytes));
}
