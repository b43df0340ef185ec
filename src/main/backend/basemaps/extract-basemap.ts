import type { BasemapSettings } from '#shared/basemap/basemap.ts';
import type { Bbox } from '#shared/stac/bbox.ts';
import { unreadable } from './basemap-error.ts';
import {
  extractTiles,
  packTile,
  type ExtractResult,
  type ExtractSource,
  type ExtractWish,
} from './extract-tiles.ts';
import { openFileTiles } from './file-tiles.ts';
import { addressesIn, countTiles, rangesAt, type TileRange } from './tile-ranges.ts';

/** What an extract of an area comes to. */
export interface ExtractPlan {
  maxZoom: number;
  tileCount: number;
  /** About; from some of its tiles. */
  sizeBytes: number;
}

/** How large an extract may become. */
interface ExtractBudget {
  tiles: number;
  bytes: number;
}

const sampledTiles = 12;

/**
 * Copies an area of a file into an MBTiles file of its own. Tiles of servers are not copied: few servers permit it.
 * @throws AppError `basemap.unreadable`, `cancelled`
 */
export function extractBasemap(basemap: BasemapSettings, wish: ExtractWish): Promise<ExtractResult> {
  return withTiles(basemap, (source) => extractTiles(source, wish));
}

/**
 * The closest zoom at which an extract of an area stays within the budget, and what it comes to; null where the basemap
 * has nothing of the area, or the budget is not even enough for its first zoom.
 * @throws AppError `basemap.unreadable`
 */
export function planExtract(
  basemap: BasemapSettings,
  { bbox, budget }: { bbox: Bbox; budget: ExtractBudget },
): Promise<ExtractPlan | null> {
  return withTiles(basemap, async (source) => {
    const { minZoom, maxZoom, bounds } = source.facts;
    let plan: ExtractPlan | null = null;
    let tileCount = 0;
    let sizeBytes = 0;
    for (let z = minZoom; z <= maxZoom; z++) {
      const ranges = rangesAt(z, { bbox, bounds });
      const count = countTiles(ranges);
      tileCount += count;
      if (count === 0 || tileCount > budget.tiles) break;
      sizeBytes += (await measureSome(source, { ranges, count })) * count;
      if (sizeBytes > budget.bytes) break;
      plan = { maxZoom: z, tileCount, sizeBytes: Math.round(sizeBytes) };
    }
    return plan;
  });
}

/** Bytes of one tile on average, empty places included. */
async function measureSome(
  { tile, facts }: ExtractSource,
  { ranges, count }: { ranges: readonly TileRange[]; count: number },
): Promise<number> {
  const step = Math.ceil(count / sampledTiles);
  let index = 0;
  let measured = 0;
  let sizeBytes = 0;
  for (const address of addressesIn(ranges)) {
    if (index++ % step !== 0) continue;
    const bytes = await tile(address);
    measured += 1;
    sizeBytes += bytes ? packTile(bytes, facts).length : 0;
  }
  return sizeBytes / measured;
}

// A thread of its own: the map stays quick, and may be changed meanwhile.
async function withTiles<Result>(
  basemap: BasemapSettings,
  work: (source: ExtractSource) => Promise<Result>,
): Promise<Result> {
  if (basemap.kind === 'online') {
    throw unreadable({
      why: 'Its tiles are from a server.',
      mend: 'Only a basemap from a file can be copied.',
    });
  }
  const tiles = await openFileTiles(basemap.path);
  try {
    return await work({
      name: basemap.name,
      facts: tiles.facts,
      tile: (address) => tiles.tile(address),
    });
  } finally {
    await tiles.close();
  }
}
