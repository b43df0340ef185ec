import { toAppError } from '#shared/errors/app-error.ts';
import type { Resource } from '../thumbnails/serve-resource.ts';
import type { Basemaps } from './basemaps.ts';

const tilePath = /^\/_tile\/([\w-]{1,64})\/(\d{1,2})\/(\d{1,8})\/(\d{1,8})$/;

/** Whether a path of the window's origin is one of a tile. */
export function isTilePath(path: string): boolean {
  return path.startsWith('/_tile/');
}

/**
 * Serves `/_tile/<basemap>/<z>/<x>/<y>`: 200 with the tile, 204 where there is none, 404 for what is no tile of the basemap
 * in use, 422 when its file can't be read.
 */
export async function serveTile(
  path: string,
  { basemaps, signal }: { basemaps: Basemaps; signal?: AbortSignal | undefined },
): Promise<Resource> {
  const [, id, z, x, y] = tilePath.exec(path) ?? [];
  if (id === undefined) return answer(404, 'No such tile');
  try {
    const tile = await basemaps.tile(id, { z: Number(z), x: Number(x), y: Number(y) }, signal);
    // A server's tile that isn't there may only not be reached now; of a file, it never will be.
    if (!tile) return { status: 204, headers: { 'cache-control': 'no-store' }, body: Buffer.alloc(0) };
    return {
      status: 200,
      headers: {
        'content-type': tile.mediaType,
        'cache-control': 'private, max-age=3600',
        'x-content-type-options': 'nosniff',
        ...(tile.fetchedAtMs === null ? {} : { 'last-modified': new Date(tile.fetchedAtMs).toUTCString() }),
      },
      body: tile.bytes,
    };
  } catch (thrown) {
    const { code } = toAppError(thrown);
    return code === 'basemap.not-found' ? answer(404, 'No such basemap') : answer(422, 'Unreadable');
  }
}

function answer(status: number, text: string): Resource {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body: Buffer.from(text) };
}
