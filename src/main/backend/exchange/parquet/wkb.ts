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

/** The geometry of WKB; null where the bytes hold none. */
export function fromWkb(bytes: Uint8Array): Geometry | null {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return toGeometry(wkbToGeojson({ view, offset: 0 }));
  } catch {
    return null;
  }
}
