import type { JsonObject } from '#shared/stac/json.ts';
import type { PlateKindName } from '../files/plate-kinds.ts';

/** What the bytes of an asset are made of. */
export type AssetContent =
  /** A PNG of the scene. */
  | { kind: 'picture' }
  /** The scene as a Cloud-Optimized GeoTIFF. */
  | { kind: 'cog' }
  /** A large raster. */
  | { kind: 'plate'; plate: PlateKindName }
  | { kind: 'text'; format: 'xml' | 'json' | 'txt' }
  /** A folder of a bucket: nothing to download. */
  | { kind: 'directory' };

/** An asset that every item of a collection has. */
export interface AssetPlan {
  key: string;
  /** Name of the file in the item's folder. */
  file: string;
  title: string;
  mediaType: string;
  roles: readonly string[];
  content: AssetContent;
  /** Further members: bands, resolution. */
  members: JsonObject;
}

/** Media type of the GeoTIFFs without overviews. */
export const geoTiff = 'image/tiff; application=geotiff';
const cloudOptimized = 'image/tiff; application=geotiff; profile=cloud-optimized';
const textTypes = { xml: 'application/xml', json: 'application/json', txt: 'text/plain' } as const;

/** A large raster. */
export function band(
  key: string,
  plate: PlateKindName,
  rest: { title: string; file?: string; roles?: readonly string[]; members?: JsonObject },
): AssetPlan {
  const { title, file = `${key}.tif`, roles = ['data'], members = {} } = rest;
  return { key, file, title, mediaType: geoTiff, roles, content: { kind: 'plate', plate }, members };
}

/** A picture for lists and maps. */
export function thumbnail(
  key = 'thumbnail',
  file = 'thumbnail.png',
  roles: readonly string[] = ['thumbnail'],
): AssetPlan {
  return {
    key,
    file,
    title: 'Thumbnail',
    mediaType: 'image/png',
    roles,
    content: { kind: 'picture' },
    members: {},
  };
}

/** The scene in true colours, to look at. */
export function visual(key = 'visual', file = 'TCI.tif'): AssetPlan {
  const members = { 'eo:bands': ['red', 'green', 'blue'].map((name) => ({ name, common_name: name })) };
  const title = 'True colour image';
  return {
    key,
    file,
    title,
    mediaType: cloudOptimized,
    roles: ['visual'],
    content: { kind: 'cog' },
    members,
  };
}

/** A small text. */
export function metadata(key: string, file: string, title: string): AssetPlan {
  const format = file.endsWith('.xml') ? 'xml' : file.endsWith('.json') ? 'json' : 'txt';
  const content = { kind: 'text', format } as const;
  return { key, file, title, mediaType: textTypes[format], roles: ['metadata'], content, members: {} };
}

/** A folder. */
export function directory(key: string, file: string, title: string): AssetPlan {
  return {
    key,
    file,
    title,
    mediaType: 'inode/directory',
    roles: ['data'],
    content: { kind: 'directory' },
    members: {},
  };
}

/** Members of a spectral band. */
export function spectral(
  name: string,
  commonName: string,
  rest: { micrometres: number; gsd: number },
): JsonObject {
  return {
    gsd: rest.gsd,
    'eo:bands': [{ name, common_name: commonName, center_wavelength: rest.micrometres }],
    'raster:bands': [
      { nodata: 0, data_type: 'uint16', scale: 0.0001, offset: -0.1, spatial_resolution: rest.gsd },
    ],
  };
}
