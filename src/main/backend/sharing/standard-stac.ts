import { toBbox } from '#shared/stac/bbox.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import { bboxOf, footprintOf, timeOf, type ItemRef, type StacItem } from '#shared/stac/item.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';

const stacVersion = '1.0.0';

/**
 * An Item with every member that STAC 1.0 asks for. Servers leave members out or send null, and answers cut by `fields`
 * lack most; programs that read STAC by the letter (QGIS, pystac) refuse such an Item whole.
 */
export function toStandardItem(item: StacItem, ref: ItemRef): StacItem {
  const footprint = footprintOf(item);
  const bbox = bboxOf(item);
  const { bbox: ownBbox, ...members } = item;
  const hasOwnBbox = toBbox(ownBbox) !== null;
  return {
    ...members,
    type: 'Feature',
    stac_version: text(item['stac_version']) ?? stacVersion,
    stac_extensions: Array.isArray(item['stac_extensions']) ? (item['stac_extensions'] as unknown[]) : [],
    id: ref.itemId,
    collection: ref.collectionId,
    geometry: footprint === null ? null : item['geometry'],
    ...(footprint === null ? {} : { bbox: hasOwnBbox ? ownBbox : bbox }),
    properties: standardProperties(item),
    links: linksOf(item),
    assets: assetsWithHref(item['assets']),
  };
}

/** A Collection with every member that STAC 1.0 asks for. */
export function toStandardCollection(collection: StacCollection): StacCollection {
  const extent = isJsonObject(collection['extent']) ? collection['extent'] : {};
  const kept = Object.fromEntries(Object.entries(collection).filter(([, value]) => value !== null));
  return {
    ...kept,
    type: 'Collection',
    stac_version: text(collection['stac_version']) ?? stacVersion,
    id: collection.id,
    description: text(collection['description']) ?? collection.id,
    license: text(collection['license']) ?? 'other',
    extent: {
      ...extent,
      spatial: { bbox: listOf(extent['spatial'], 'bbox', isBox) ?? [[-180, -90, 180, 90]] },
      temporal: { interval: listOf(extent['temporal'], 'interval', isInterval) ?? [[null, null]] },
    },
    links: linksOf(collection),
  };
}

function standardProperties(item: StacItem): JsonObject {
  const properties = isJsonObject(item['properties']) ? item['properties'] : {};
  if (typeof properties['datetime'] === 'string') return properties;
  const { startMicros, endMicros } = timeOf(item);
  // No time is made up for an Item that names none.
  if (startMicros === null || endMicros === null) return { ...properties, datetime: null };
  // Without `datetime` both ends must be there.
  return {
    ...properties,
    datetime: null,
    start_datetime: toText(startMicros),
    end_datetime: toText(endMicros),
  };
}

function toText(micros: number): string {
  return new Date(micros / 1000).toISOString();
}

function linksOf(record: JsonObject): unknown[] {
  const links: unknown[] = Array.isArray(record['links']) ? record['links'] : [];
  return links.filter(
    (link) => isJsonObject(link) && text(link['rel']) !== null && text(link['href']) !== null,
  );
}

function assetsWithHref(assets: unknown): JsonObject {
  const entries = isJsonObject(assets) ? Object.entries(assets) : [];
  return Object.fromEntries(
    entries.filter(([, asset]) => isJsonObject(asset) && typeof asset['href'] === 'string'),
  );
}

function listOf(extent: unknown, name: string, isWanted: (one: unknown) => boolean): unknown[] | null {
  const list = isJsonObject(extent) ? extent[name] : null;
  const wanted = Array.isArray(list) ? (list as unknown[]).filter(isWanted) : [];
  return wanted.length > 0 ? wanted : null;
}

function isBox(value: unknown): boolean {
  return Array.isArray(value) && [4, 6].includes(value.length) && value.every(Number.isFinite);
}

function isInterval(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((end) => end === null || typeof end === 'string')
  );
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
