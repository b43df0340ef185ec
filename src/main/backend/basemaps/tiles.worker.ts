import { parentPort } from 'node:worker_threads';
import type { TileFacts } from '#shared/basemap/basemap.ts';
import { toAppError, type ErrorData } from '#shared/errors/app-error.ts';
import { openTileSet } from './open-tile-set.ts';
import { probeTiles } from './probe-tiles.ts';
import type { TileAddress, TileSet } from './tile-set.ts';

/** A file to be opened, its first tiles to be tried, or a tile of it. */
export type TilesOrder = { number: number } & (
  { filePath: string } | { isProbe: true } | { address: TileAddress }
);

/** What was found. */
export type TilesResult = { number: number } & (
  { opened: { name: string; facts: TileFacts } } | { tile: Uint8Array | null } | { error: ErrorData }
);

let tileSet: TileSet | null = null;

parentPort?.on('message', (order: TilesOrder) => {
  const { number } = order;
  try {
    if ('filePath' in order) {
      tileSet = openTileSet(order.filePath);
      const { name, facts } = tileSet;
      parentPort?.postMessage({ number, opened: { name, facts } } satisfies TilesResult);
    } else if ('isProbe' in order) {
      if (tileSet) probeTiles(tileSet);
      parentPort?.postMessage({ number, tile: null } satisfies TilesResult);
    } else {
      const tile = tileSet?.tile(order.address) ?? null;
      parentPort?.postMessage({ number, tile } satisfies TilesResult);
    }
  } catch (thrown) {
    parentPort?.postMessage({ number, error: toAppError(thrown).toData() } satisfies TilesResult);
  }
});
