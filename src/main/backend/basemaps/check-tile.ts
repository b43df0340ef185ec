import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { TileFacts } from '#shared/basemap/basemap.ts';
import { damaged, unreadable } from './basemap-error.ts';
import { checkRasterTile } from './raster-tile.ts';

const vectorTileType = 'application/vnd.mapbox-vector-tile';

/**
 * The media type of a tile of a file. Null for an empty one, with which some programs mark a place that has no picture.
 * @throws AppError `basemap.unreadable` when it is not what the file says
 */
export function checkTile(bytes: Buffer, { tiles }: Pick<TileFacts, 'tiles'>): string | null {
  if (tiles === 'vector') {
    if (!isVectorTile(bytes)) throw damaged('A tile of it is no vector tile.');
    return vectorTileType;
  }
  if (bytes.length === 0) return null;
  const mediaType = checkRasterTile(bytes);
  if (mediaType !== null) return mediaType;
  throw unreadable({
    why: 'A tile of it is no picture, or too large.',
    mend: 'Get the file again, or choose another one.',
  });
}

function isVectorTile(bytes: Buffer): boolean {
  const reader = new PbfReader(bytes);
  try {
    new VectorTile(reader);
  } catch {
    return false;
  }
  // The reader passes over what it doesn't know, and over the end. A tile has nothing but layers.
  return reader.pos === bytes.length && (bytes.length === 0 || bytes[0] === layerTag);
}

const layerTag = 0x1a;
