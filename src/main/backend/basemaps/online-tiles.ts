import PQueue from 'p-queue';
import { fillTemplate } from '#shared/basemap/basemap.ts';
import { toAppError } from '#shared/errors/app-error.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Clock, Logger } from '../ports.ts';
import { checkRasterTile } from './raster-tile.ts';
import type { CachedTile, TileCache } from './tile-cache.ts';
import { isTileAddress, tileLimits, type TileAddress } from './tile-set.ts';

/** A tile that is younger is not asked for again. */
const freshMs = 7 * 86_400_000;

/** As many requests at once as the usage rules of public tile servers allow. */
const maxRequests = 4;

/** What tiles of a server need. */
export interface OnlineTilesOptions {
  urlTemplate: string;
  maxZoom: number;
  cache: TileCache;
  /** Without a token: it goes to any server that a person typed. */
  http: HttpClient;
  clock: Clock;
  logger: Logger;
}

/** Tiles of a server, kept once they were seen. */
export interface OnlineTiles {
  /** Null where there is none, or it can't be had now. */
  tile(address: TileAddress, signal?: AbortSignal): Promise<CachedTile | null>;
}

/** Builds the way to one server. */
export function createOnlineTiles({
  urlTemplate,
  maxZoom,
  cache,
  http,
  clock,
  logger,
}: OnlineTilesOptions): OnlineTiles {
  const queue = new PQueue({ concurrency: maxRequests });

  const fetch = async (address: TileAddress, signal: AbortSignal | undefined): Promise<CachedTile | null> => {
    if (signal?.aborted) return null;
    const url = fillTemplate(urlTemplate, address);
    const answer = await http.send({ url, auth: 'none', signal, maxBodyBytes: tileLimits.rasterBytes });
    if (answer.status !== 200 || checkRasterTile(answer.body) === null) return null;
    const tile = { bytes: answer.body, fetchedAtMs: clock.now() };
    await cache.put(address, tile);
    return tile;
  };

  const renew = async (address: TileAddress, signal?: AbortSignal): Promise<CachedTile | null> => {
    try {
      return (await queue.add(() => fetch(address, signal))) ?? null;
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (code !== 'cancelled' && code !== 'network.switched-off')
        logger.warn('tile not fetched', { code, message });
      return null;
    }
  };

  return {
    async tile(address, signal) {
      if (!isTileAddress(address, maxZoom)) return null;
      const kept = await cache.get(address);
      if (!kept) return renew(address, signal);
      // An old one is better than none while its server is asked, which may take long without a network.
      if (clock.now() - kept.fetchedAtMs >= freshMs) void renew(address);
      return kept;
    },
  };
}
