import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { TileOrder, TilePicture } from './vector-tile-loading.ts';
import { paintVectorTile } from './vector-tile-painter.ts';

const underWay = new Map<number, AbortController>();

self.addEventListener('message', ({ data }: MessageEvent<TileOrder>) => {
  if ('cancelled' in data) underWay.get(data.cancelled)?.abort();
  else void answer(data);
});

async function answer(order: Exclude<TileOrder, { cancelled: number }>): Promise<void> {
  const { number } = order;
  const abort = new AbortController();
  underWay.set(number, abort);
  const picture = await paint(order, abort.signal).catch(() => null);
  underWay.delete(number);
  self.postMessage({ number, picture } satisfies TilePicture, { transfer: picture ? [picture] : [] });
}

async function paint(
  { url, zoom, sizePx, ratio, colours }: Exclude<TileOrder, { cancelled: number }>,
  signal: AbortSignal,
): Promise<ImageBitmap | null> {
  const response = await fetch(url, { signal });
  if (response.status !== 200) return null;
  const tile = new VectorTile(new PbfReader(await response.arrayBuffer()));
  const canvas = new OffscreenCanvas(Math.round(sizePx * ratio), Math.round(sizePx * ratio));
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.scale(ratio, ratio);
  paintVectorTile(context, tile, { sizePx, zoom, colours });
  return canvas.transferToImageBitmap();
}
