import { createReadStream } from 'node:fs';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { toGeometry } from '#shared/stac/geometry.ts';
import { toEpochMicros } from '#shared/stac/timestamp.ts';
import { unreadable } from '../exchange-error.ts';
import { bringHome } from './bring-home.ts';
import { checkItem } from './check-item.ts';
import type { FileFacts, ReadContext } from './item-reader.ts';
import { splitJson, type JsonPart } from './split-json.ts';

/**
 * Reads a STAC ItemCollection, Items one a line, a single Item, or any GeoJSON of features.
 * @throws AppError `exchange.unreadable`, `exchange.too-large`
 */
export async function* readJsonFile(path: string, context: ReadContext): AsyncGenerator<IdentifiedItem[]> {
  let count = 0;
  const chunks = createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
  for await (const parts of splitJson(chunks)) {
    const items = parts.flatMap((part) =>
      readPart(part, context).map((found) => {
        count += 1;
        return toItem(found, part.place, { context, number: count });
      }),
    );
    if (items.length > 0) yield items;
  }
}

function readPart({ kind, value, place }: JsonPart, { facts }: ReadContext): JsonObject[] {
  // A bare list of items, as some programs write it.
  if (kind === 'object' && Array.isArray(value) && value.every(isJsonObject)) return value;
  if (!isJsonObject(value)) throw noFeatures(place, 'It is JSON, but no object.');
  if (kind === 'feature') return [value];
  return readObject(value, place, facts);
}

function readObject(value: JsonObject, place: string, facts: FileFacts): JsonObject[] {
  const { type } = value;
  if (type === 'Feature') return [value];
  if (type === 'FeatureCollection' && Array.isArray(value['features'])) {
    const asOf = value['timeStamp'];
    if (typeof asOf === 'string' && toEpochMicros(asOf) !== null) facts.asOf = asOf;
    checkCrs(value['crs']);
    return [];
  }
  if (type === 'Catalog' || type === 'Collection') {
    throw noFeatures(place, `It is a STAC ${type}, which only tells where its items are.`);
  }
  throw noFeatures(place, 'It holds no features.');
}

function toItem(
  feature: JsonObject,
  place: string,
  { context, number }: { context: ReadContext; number: number },
): IdentifiedItem {
  const { facts, collectionId } = context;
  if (isStac(feature)) {
    facts.format = 'stac';
    return checkItem(feature, place, collectionId);
  }
  facts.format ??= 'geojson';
  return checkItem(fromFeature(feature, number), place, collectionId);
}

/** Old servers, and programs that write an Item anew, leave its version out. */
function isStac({ stac_version: version, collection, assets }: JsonObject): boolean {
  return typeof version === 'string' || (typeof collection === 'string' && isJsonObject(assets));
}

/** A plain feature as an Item: its id and its collection may stand among its properties. */
function fromFeature(feature: JsonObject, number: number): JsonObject {
  const given = isJsonObject(feature['properties']) ? feature['properties'] : {};
  const { collection, ...others } = given;
  const id = feature['id'] ?? others['id'] ?? others['fid'] ?? number;
  const hasCollection = typeof collection === 'string' && collection !== '';
  return {
    type: 'Feature',
    stac_version: '1.0.0',
    id: typeof id === 'number' ? String(id) : id,
    ...(hasCollection && { collection }),
    ...placeOf(feature),
    properties: { ...(hasCollection ? others : given), datetime: others['datetime'] ?? null },
    links: [],
    assets: {},
  };
}

function placeOf({ geometry, bbox }: JsonObject): JsonObject {
  const footprint = toGeometry(geometry);
  const brought = footprint && bringHome(footprint);
  return brought ? { ...brought } : { geometry: geometry ?? null, ...(bbox !== undefined && { bbox }) };
}

function checkCrs(crs: unknown): void {
  const properties = isJsonObject(crs) ? crs['properties'] : null;
  const name = isJsonObject(properties) ? properties['name'] : null;
  if (typeof name !== 'string' || /CRS84h?$|EPSG[:/]([\d.]*[:/])?(4326|4979)$/i.test(name.trim())) return;
  throw unreadable({
    why: `Its coordinates are in ${name.slice(0, 60)}.`,
    mend: 'Save it in WGS 84 (EPSG:4326).',
  });
}

function noFeatures(place: string, why: string): Error {
  return unreadable({ place, why, mend: 'Choose a GeoJSON FeatureCollection or a STAC ItemCollection.' });
}
