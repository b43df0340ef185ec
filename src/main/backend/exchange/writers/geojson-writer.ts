import type { Geometry } from 'geojson';
import { uniteBboxes } from '#shared/geo/unite-bboxes.ts';
import { bboxOfGeometry, type Bbox } from '#shared/stac/bbox.ts';
import { bboxOf, footprintOf, type IdentifiedItem } from '#shared/stac/item.ts';
import { flatPropertiesOf } from '../flat-properties.ts';
import type { OutputFile } from '../output-file.ts';
import { toRfc7946 } from '../rfc7946-geometry.ts';
import type { ItemWriter, WritePlan } from './item-writer.ts';
import { toTimeStamp } from './time-stamp.ts';

/**
 * GeoJSON for maps (RFC 7946): each item as a Feature with its footprint, cut at the antimeridian, and flat properties.
 * Assets and links stay behind.
 */
export function createGeojsonWriter(file: OutputFile, { asOf, properties }: WritePlan): ItemWriter {
  let separator = '\n';
  let around: Bbox | null = null;
  const begun = file.write('{"type":"FeatureCollection","features":[');
  return {
    async add(items) {
      await begun;
      for (const one of items) {
        const feature = toFeature(one, properties);
        if (feature.bbox) around = join(around, feature.bbox);
        await file.write(`${separator}${JSON.stringify(feature)}`);
        separator = ',\n';
      }
    },
    async finish() {
      await begun;
      const bbox = around ? `,"bbox":${JSON.stringify(around)}` : '';
      await file.write(`\n]${bbox}${toTimeStamp(asOf())}}\n`);
    },
  };
}

interface ItemFeature {
  type: 'Feature';
  id: string;
  geometry: Geometry | null;
  bbox?: Bbox;
  properties: Record<string, unknown>;
}

function toFeature({ ref, item }: IdentifiedItem, chosen: readonly string[] | null): ItemFeature {
  const footprint = footprintOf(item);
  const geometry = footprint && toRfc7946(footprint);
  const own = bboxOf(item) ?? (geometry && bboxOfGeometry(geometry));
  // One that goes on beyond ±180 crosses the antimeridian (RFC 7946 §5.2).
  const bbox = own && Math.max(Math.abs(own[0]), Math.abs(own[2])) > 180 ? uniteBboxes([own]) : own;
  return {
    type: 'Feature',
    id: ref.itemId,
    ...(bbox && { bbox }),
    geometry,
    properties: Object.fromEntries([...flatPropertiesOf(item, chosen), ['collection', ref.collectionId]]),
  };
}

// RFC 7946 §5.2: where boxes lie on both sides of the antimeridian, the one around all of them is the whole turn.
function join(around: Bbox | null, [west, south, east, north]: Bbox): Bbox {
  const [fromWest, toEast] = west > east ? [-180, 180] : [west, east];
  if (!around) return [fromWest, south, toEast, north];
  return [
    Math.min(around[0], fromWest),
    Math.min(around[1], south),
    Math.max(around[2], toEast),
    Math.max(around[3], north),
  ];
}
