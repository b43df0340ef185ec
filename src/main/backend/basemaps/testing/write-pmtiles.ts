import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { zxyToTileId } from 'pmtiles';
import type { TileAddress } from '../tile-set.ts';

/** What a PMTiles file of a test is made of. */
export interface PmtilesContent {
  tiles: readonly (TileAddress & { bytes: Buffer })[];
  /** PMTiles' own number: 1 vector, 2 PNG, 3 JPEG, 4 WebP. */
  tileType: number;
  metadata?: Record<string, unknown>;
  bounds?: readonly [west: number, south: number, east: number, north: number];
  /** Puts the entries into a leaf directory below the root. */
  hasLeaf?: boolean;
  /** In place of the root directory as it should be, unpacked. */
  rootDirectory?: Buffer;
  /** Changes the file's bytes before they are written. */
  spoil?: (bytes: Buffer) => Buffer;
}

interface Entry {
  tileId: number;
  runLength: number;
  offset: number;
  length: number;
}

/** Writes a PMTiles file, version 3, with gzipped directories and vector tiles. */
export function writePmtiles(filePath: string, content: PmtilesContent): void {
  const { tileType, metadata = {}, bounds = [-180, -85, 180, 85] } = content;
  const isVector = tileType === 1;
  let offset = 0;
  const tiles = content.tiles
    .map(({ z, x, y, bytes }) => ({
      tileId: zxyToTileId(z, x, y),
      bytes: isVector ? gzipSync(bytes) : bytes,
    }))
    .sort((a, b) => a.tileId - b.tileId)
    .map((tile) => {
      const entry = { tileId: tile.tileId, runLength: 1, offset, length: tile.bytes.length };
      offset += tile.bytes.length;
      return { ...tile, entry };
    });
  const entries = encodeDirectory(tiles.map(({ entry }) => entry));
  const leaf = content.hasLeaf ? gzipSync(entries) : Buffer.alloc(0);
  const first = tiles[0]?.entry.tileId ?? 0;
  const root = gzipSync(
    content.rootDirectory ??
      (content.hasLeaf
        ? encodeDirectory([{ tileId: first, runLength: 0, offset: 0, length: leaf.length }])
        : entries),
  );
  const description = gzipSync(JSON.stringify(metadata));
  const data = Buffer.concat(tiles.map(({ bytes }) => bytes));
  const header = Buffer.alloc(127);
  header.write('PMTiles', 0, 'latin1');
  header[7] = 3;
  const parts = [root, description, leaf, data];
  let at = header.length;
  parts.forEach((part, i) => {
    header.writeBigUInt64LE(BigInt(at), 8 + i * 16);
    header.writeBigUInt64LE(BigInt(part.length), 16 + i * 16);
    at += part.length;
  });
  const zooms = content.tiles.map(({ z }) => z);
  header.set([1, 2, isVector ? 2 : 1, tileType, Math.min(...zooms), Math.max(...zooms)], 96);
  bounds.forEach((degrees, i) => header.writeInt32LE(Math.round(degrees * 1e7), 102 + i * 4));
  const bytes = Buffer.concat([header, ...parts]);
  writeFileSync(filePath, content.spoil?.(bytes) ?? bytes);
}

function encodeDirectory(entries: readonly Entry[]): Buffer {
  const writer = new PbfWriter();
  writer.writeVarint(entries.length);
  entries.forEach(({ tileId }, i) => writer.writeVarint(tileId - (entries[i - 1]?.tileId ?? 0)));
  for (const { runLength } of entries) writer.writeVarint(runLength);
  for (const { length } of entries) writer.writeVarint(length);
  for (const { offset } of entries) writer.writeVarint(offset + 1);
  return Buffer.from(writer.finish());
}
