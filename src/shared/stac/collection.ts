import { toBbox, type Bbox } from './bbox.ts';
import { isJsonObject, isTooDeep, type JsonObject } from './json.ts';

/** A Collection exactly as a server sent it; only its id is sure. Servers send many members as null. */
export interface StacCollection extends JsonObject {
  id: string;
}

/** What a list of collections shows. */
export interface CollectionSummary {
  id: string;
  title: string;
  description: string;
  keywords: string[];
  license: string | null;
  /** First box of the spatial extent. */
  bbox: Bbox | null;
  /** First interval of the temporal extent, RFC 3339; null is open. */
  interval: [start: string | null, end: string | null] | null;
}

/** Takes one member of `collections`, or null when it has no usable id or is nested too deeply to be kept. */
export function readCollection(value: unknown): StacCollection | null {
  if (!isJsonObject(value) || isTooDeep(value)) return null;
  const { id } = value;
  return typeof id === 'string' && id !== '' && id.isWellFormed() ? (value as StacCollection) : null;
}

/** The parts of a Collection that people choose by. */
export function summarizeCollection(collection: StacCollection): CollectionSummary {
  const extent = isJsonObject(collection['extent']) ? collection['extent'] : {};
  return {
    id: collection.id,
    title: text(collection['title']) ?? collection.id,
    description: text(collection['description']) ?? '',
    keywords: Array.isArray(collection['keywords'])
      ? collection['keywords'].filter((k) => typeof k === 'string')
      : [],
    license: text(collection['license']),
    bbox: toBbox(firstOf(extent['spatial'], 'bbox')),
    interval: toInterval(firstOf(extent['temporal'], 'interval')),
  };
}

function firstOf(extent: unknown, member: string): unknown {
  const list = isJsonObject(extent) ? extent[member] : null;
  return Array.isArray(list) ? (list[0] as unknown) : null;
}

function toInterval(value: unknown): [string | null, string | null] | null {
  return Array.isArray(value) && value.length === 2 ? [text(value[0]), text(value[1])] : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
