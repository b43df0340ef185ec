import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TileAddress } from './tile-set.ts';

/** A tile that was fetched once. */
export interface CachedTile {
  bytes: Buffer;
  fetchedAtMs: number;
}

/** Tiles of servers in a folder of bounded size; the oldest go first. */
export interface TileCache {
  get(address: TileAddress): Promise<CachedTile | null>;
  put(address: TileAddress, tile: CachedTile): Promise<void>;
}

interface TileCacheOptions {
  folder: string;
  /** Beyond this the oldest tiles are removed. */
  maxBytes: number;
}

/** A cache in a folder of its own, made with the first tile. When it can't be written to, nothing is kept. */
export function createTileCache({ folder, maxBytes }: TileCacheOptions): TileCache {
  let sizeBytes: Promise<number> | null = null;
  const pathOf = ({ z, x, y }: TileAddress): string => join(folder, `${z}-${x}-${y}`);

  const makeRoom = async (): Promise<number> => {
    const files = await listFiles(folder);
    let total = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    if (total <= maxBytes) return total;
    for (const file of files.sort((a, b) => a.modifiedMs - b.modifiedMs)) {
      // Some room to spare, or each next tile would look at all of them again.
      if (total <= maxBytes * 0.8) break;
      await rm(file.path, { force: true });
      total -= file.sizeBytes;
    }
    return total;
  };

  return {
    async get(address) {
      const path = pathOf(address);
      const [bytes, stats] = await Promise.all([
        readFile(path).catch(() => null),
        stat(path).catch(() => null),
      ]);
      return bytes && stats ? { bytes, fetchedAtMs: stats.mtimeMs } : null;
    },
    async put(address, { bytes, fetchedAtMs }) {
      try {
        await mkdir(folder, { recursive: true });
        const path = pathOf(address);
        // Never a half one under its name, whatever happens meanwhile.
        const partPath = `${path}.part-${Math.random().toString(36).slice(2)}`;
        await writeFile(partPath, bytes);
        await utimes(partPath, fetchedAtMs / 1000, fetchedAtMs / 1000);
        await rename(partPath, path);
        const total = (await (sizeBytes ??= makeRoom())) + bytes.length;
        sizeBytes = total > maxBytes ? makeRoom() : Promise.resolve(total);
      } catch {
        sizeBytes = null;
      }
    },
  };
}

async function listFiles(folder: string) {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => null);
      return stats && { path, sizeBytes: stats.size, modifiedMs: stats.mtimeMs };
    }),
  );
  return files.filter((file) => file !== null);
}
