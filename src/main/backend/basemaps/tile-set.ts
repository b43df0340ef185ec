import type { TileFacts } from '#shared/basemap/basemap.ts';

/** Place of a tile in the pyramid of Web Mercator, y counted from the north. */
export interface TileAddress {
  z: number;
  x: number;
  y: number;
}

/** A file of tiles that is open. Not to be trusted: everything it says is checked. */
export interface TileSet {
  /** What the file calls itself; empty where it doesn't. */
  readonly name: string;
  readonly facts: TileFacts;
  /** The tile as it is stored; null when there is none. @throws AppError `basemap.unreadable` */
  tile(address: TileAddress): Buffer | null;
  /** Readers of so many tiles, or of all that there are, from the lowest zoom on. @throws AppError `basemap.unreadable` */
  firstTiles(count: number): readonly (() => Buffer | null)[];
  close(): void;
}

/** Limits on what is read of a file. */
export const tileLimits = {
  /** One raster tile. */
  rasterBytes: 4 * 1024 * 1024,
  /** One vector tile, unpacked. */
  vectorBytes: 8 * 1024 * 1024,
  /** Pixels along one side of a raster tile. */
  sidePx: 2048,
  /** A directory of PMTiles, packed. */
  directoryBytes: 4 * 1024 * 1024,
  /** A directory or the metadata, unpacked. */
  unpackedBytes: 16 * 1024 * 1024,
  /** Time for one answer of a file. */
  answerMs: 10_000,
};

/** Whether there can be such a tile at all. */
export function isTileAddress({ z, x, y }: TileAddress, maxZoom: number): boolean {
  const isWhole = [z, x, y].every((value) => Number.isSafeInteger(value) && value >= 0);
  return isWhole && z <= maxZoom && x < 2 ** z && y < 2 ** z;
}
