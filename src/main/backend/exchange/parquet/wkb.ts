import { wkbToGeojson } from 'hyparquet/src/wkb.js';
import { geojsonToWkb } from 'hyparquet-writer/src/wkb.js';
import type { Geometry } from 'geojson';
import { toGeometry } from '#shared/stac/geometry.ts';

/** A geometry as ISO WKB; null for one that WKB can't hold. */
export function toWkb(geometry: Geometry): Uint8Array | null {
  try {
    return geojsonToWkb(geometry).slice();
  } catch {
    return null;
  }
}

/** The geometry of WKB; null for an empty one. @throws Error where the bytes or their numbers are none */
export function fromWkb(bytes: Uint8Array): Geometry | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const geometry = wkbToGeojson({ view, offset: 0 });
  // Numbers that are none become null in JSON.
  if (JSON.stringify(geometry).includes('null')) throw new Error('coordinates that are no numbers');
  return toGeometry(geometry);
}
