import type { Geometry } from 'geojson';
import { toBbox, bboxOfGeometry, type Bbox } from './bbox.ts';
import { toFlatGeometry } from './geometry.ts';
import { isJsonObject, isTooDeep, type JsonObject } from './json.ts';
import { toEpochMicros } from './timestamp.ts';

/**
 * An Item exactly as a server sent it. Only its id is sure; every other member may be missing, null or wrong
 * (field notes §2.3), so they are read through the functions below and never rewritten.
 */
export interface StacItem extends JsonObject {
  id: string;
}

/** What makes an Item the same Item: its collection and its id. */
export interface ItemRef {
  collectionId: string;
  itemId: string;
}

/** An Item beside its identity, which the JSON alone doesn't always give. */
export interface IdentifiedItem {
  ref: ItemRef;
  item: StacItem;
  /** Whether `fields` cut it down to less than the catalog has of it. */
  isPartial?: boolean;
  /** When the catalog was found to have it no more, in milliseconds since 1970 UTC. */
  goneAtMs?: number;
}

/** A read Item, or why it can't be one. */
export type ItemReading = IdentifiedItem | { reason: string };

/**
 * Takes one member of `features`; `item` is the same object, untouched. Where it names no collection
 * (STAC before 1.0, field-limited answers), the one it was found in is used.
 */
export function readItem(value: unknown, context: { collectionId?: string | undefined } = {}): ItemReading {
  if (!isJsonObject(value)) return { reason: 'not a JSON object' };
  const { id } = value;
  if (typeof id !== 'string' || id === '') return { reason: 'no id' };
  const collectionId = value['collection'] ?? context.collectionId;
  if (typeof collectionId !== 'string' || collectionId === '')
    return { reason: `item ${id} names no collection` };
  // Half a surrogate pair can be neither stored nor put into a URL.
  if (!id.isWellFormed() || !collectionId.isWellFormed())
    return { reason: `the id of item ${id} is no text` };
  if (isTooDeep(value)) return { reason: `item ${id} is nested too deeply` };
  return { ref: { collectionId, itemId: id }, item: value as StacItem };
}

/** The Item's `properties`, or an empty object. */
export function propertiesOf(item: StacItem): JsonObject {
  return isJsonObject(item['properties']) ? item['properties'] : {};
}

/** The Item's footprint, or null when there is none or it is malformed. */
export function footprintOf(item: StacItem): Geometry | null {
  return toFlatGeometry(item['geometry']);
}

/** The Item's own bbox without heights; computed from the footprint where the server left it out or turned it over. */
export function bboxOf(item: StacItem): Bbox | null {
  const own = toBbox(item['bbox']);
  if (own && own[1] <= own[3]) return own;
  const footprint = footprintOf(item);
  return footprint ? bboxOfGeometry(footprint) : null;
}

/** When the Item was taken, in microseconds since 1970 UTC; null when it doesn't say. */
export interface ItemTime {
  /** What it is sorted by: `datetime`, or where that is null the start of its span. */
  datetimeMicros: number | null;
  /**
   * The span that a `datetime` search is matched against: `datetime` alone, or where that is null from
   * `start_datetime` to `end_datetime` (STAC 1.0 common metadata).
   */
  startMicros: number | null;
  endMicros: number | null;
}

/** What an Item is sorted by, as in its `timeOf`. */
export function datetimeOf(item: StacItem): number | null {
  const properties = propertiesOf(item);
  return (
    micros(properties['datetime']) ??
    micros(properties['start_datetime']) ??
    micros(properties['end_datetime'])
  );
}

/** The Item's time. */
export function timeOf(item: StacItem): ItemTime {
  const properties = propertiesOf(item);
  const datetime = micros(properties['datetime']);
  const start = micros(properties['start_datetime']);
  const end = micros(properties['end_datetime']);
  return {
    datetimeMicros: datetime ?? start ?? end,
    startMicros: datetime ?? start ?? end,
    endMicros: datetime ?? end ?? start,
  };
}

/** `eo:cloud_cover` in per cent, or null when unknown. */
export function cloudCoverOf(item: StacItem): number | null {
  const value = propertiesOf(item)['eo:cloud_cover'];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function micros(value: unknown): number | null {
  return typeof value === 'string' ? toEpochMicros(value) : null;
}
