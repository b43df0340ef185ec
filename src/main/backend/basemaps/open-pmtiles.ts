import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { TileFacts } from '#shared/basemap/basemap.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { damaged, unreadable } from './basemap-error.ts';
import { findEntry, readDirectory, toTileId, type DirectoryEntry } from './pmtiles-directory.ts';
import { headerBytes, readHeader, type Stretch } from './pmtiles-header.ts';
import { readBounds, readText, readZoom } from './read-facts.ts';
import { tileLimits, type TileAddress, type TileSet } from './tile-set.ts';
import { unpack } from './unpack.ts';

const tileKinds: readonly (TileFacts['tiles'] | null)[] = [null, 'vector', 'raster', 'raster', 'raster'];
/** The root and three levels of leaves: more than any writer makes. */
const maxDepth = 4;
const maxKeptDirectories = 32;

/** Opens a PMTiles file, version 3. @throws AppError `basemap.unreadable` */
export function openPmtiles(filePath: string): TileSet {
  const file = openSync(filePath, 'r');
  try {
    return readPmtiles(file);
  } catch (thrown) {
    closeSync(file);
    throw thrown;
  }
}

function readPmtiles(file: number): TileSet {
  const fileBytes = fstatSync(file).size;
  const read = (offset: number, length: number, maxBytes: number): Buffer => {
    if (length > maxBytes) throw damaged('A part of it is too large to be what it says.');
    if (!Number.isSafeInteger(offset + length) || offset + length > fileBytes) {
      throw damaged('It ends before a part that it names.');
    }
    const bytes = Buffer.alloc(length);
    let done = 0;
    while (done < length) {
      const count = readSync(file, bytes, done, length - done, offset + done);
      if (count === 0) throw damaged('It ends before a part that it names.');
      done += count;
    }
    return bytes;
  };
  const header = readHeader(read(0, headerBytes, headerBytes));
  for (const { offset, length } of [header.leaves, header.data])
    if (offset + length > fileBytes) throw damaged('It ends before a part that it names.');
  const tiles = tileKinds[header.tileType] ?? null;
  if (tiles === null) {
    throw unreadable({
      why: 'Its tiles are of a kind that can’t be drawn.',
      mend: 'PNG, JPEG, WebP and Mapbox vector tiles (MVT) can be.',
    });
  }
  const readPacked = ({ offset, length }: Stretch): Buffer =>
    unpack(read(offset, length, tileLimits.directoryBytes), header.internal, tileLimits.unpackedBytes);
  const readEntries = (stretch: Stretch): DirectoryEntry[] => {
    const entries = readDirectory(readPacked(stretch));
    for (const { offset, length, runLength } of entries) {
      const { offset: begin } = runLength === 0 ? header.leaves : header.data;
      if (begin + offset + length > fileBytes) throw damaged('It ends before a part that it names.');
    }
    return entries;
  };
  const metadata = readMetadata(readPacked(header.metadata));
  const root = readEntries(header.root);
  const leaves = new Map<number, DirectoryEntry[]>();

  const readLeaf = ({ offset, length }: DirectoryEntry): DirectoryEntry[] => {
    const known = leaves.get(offset);
    if (known) return known;
    const leaf = readEntries({ offset: header.leaves.offset + offset, length });
    const [oldest] = leaves.keys();
    if (leaves.size >= maxKeptDirectories && oldest !== undefined) leaves.delete(oldest);
    leaves.set(offset, leaf);
    return leaf;
  };

  const find = (address: TileAddress): DirectoryEntry | null => {
    const tileId = toTileId(address);
    let directory = root;
    for (let depth = 0; depth < maxDepth; depth++) {
      const entry = findEntry(directory, tileId);
      if (!entry || entry.runLength > 0) return entry;
      directory = readLeaf(entry);
    }
    throw damaged('Its directories lie too deep in each other.');
  };

  function* entriesIn(directory: readonly DirectoryEntry[], depth = 1): Generator<DirectoryEntry> {
    if (depth > maxDepth) throw damaged('Its directories lie too deep in each other.');
    for (const entry of directory) {
      if (entry.runLength > 0) yield entry;
      else yield* entriesIn(readLeaf(entry), depth + 1);
    }
  }

  const readTile = ({ offset, length }: DirectoryEntry): Buffer | null => {
    if (length === 0) return null;
    const maxBytes = tiles === 'vector' ? tileLimits.vectorBytes : tileLimits.rasterBytes;
    return unpack(read(header.data.offset + offset, length, maxBytes), header.packing, maxBytes);
  };

  const { minZoom, maxZoom, bounds } = header;
  return {
    name: readText(metadata['name'], 120),
    facts: {
      tiles,
      minZoom: readZoom(minZoom) ?? 0,
      maxZoom: readZoom(maxZoom) ?? 0,
      bounds: readBounds(bounds),
      attribution: readText(metadata['attribution'], 300),
    },
    tile(address) {
      const entry = find(address);
      return entry && readTile(entry);
    },
    // They are in the order of their zooms.
    firstTiles(count) {
      const readers: (() => Buffer | null)[] = [];
      for (const entry of entriesIn(root)) if (readers.push(() => readTile(entry)) >= count) break;
      return readers;
    },
    close: () => closeSync(file),
  };
}

function readMetadata(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(value) ? value : {};
  } catch {
    throw damaged('Its description is no JSON.');
  }
}
