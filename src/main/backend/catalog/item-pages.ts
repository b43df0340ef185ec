import { createHash } from 'node:crypto';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { toItemKey } from '#shared/stac/item-key.ts';
import { readItem, type IdentifiedItem } from '#shared/stac/item.ts';
import { isJsonObject, isTooDeep, type JsonObject } from '#shared/stac/json.ts';
import type { ItemPage, ItemPages, RequestOptions } from './catalog-client.ts';
import { nextRequest, requestKey, type PageRequest } from './next-request.ts';
import {
  describeJson,
  invalidResponse,
  toJsonObject,
  type CatalogReader,
  type OnStatus,
} from './read-answer.ts';
import { SeenKeys } from './seen-keys.ts';

/** Empty pages in a row that are gone past, where each offers another. */
const maxEmptyPages = 3;

/** What a sequence of pages begins with. */
export interface ItemPagesOptions {
  reader: CatalogReader;
  first: PageRequest;
  /** Where an earlier run of the program came to; left out to begin with the first page. */
  resumeFrom?: PageRequest | undefined;
  /** Another way to ask, after the first request failed; null when there is none. `onUsed` tells that it worked. */
  alternative?: (error: AppError) => { request: PageRequest; onUsed: () => void } | null;
  onStatus: OnStatus;
  /** Collection of Items that don't name theirs. */
  collectionId?: string | undefined;
}

/** Pages of Items, each asked for when it is wanted. A page that failed can be asked for again. */
export function createItemPages(options: ItemPagesOptions): ItemPages {
  const { reader, alternative, onStatus, collectionId } = options;
  const seenItems = new SeenKeys();
  const seenMalformed = new SeenKeys();
  const seenRequests = new Set<string>();
  let first = options.first;
  // An error: the page before was good, its link is not.
  let upcoming: PageRequest | AppError | null = options.resumeFrom ?? first;
  let isIncomplete = false;

  async function next(requestOptions: RequestOptions = {}): Promise<ItemPage | null> {
    const isStart = upcoming === first;
    let page: ItemPage | null = null;
    for (let emptyCount = 0; upcoming !== null && emptyCount <= maxEmptyPages; emptyCount++) {
      if (upcoming instanceof AppError) throw upcoming;
      page = await take(upcoming, requestOptions);
      if (page.items.length > 0 || page.skipped.length > 0) return page;
    }
    if (upcoming !== null) breakOff();
    return isStart ? page : null;
  }

  async function take(asked: PageRequest, requestOptions: RequestOptions): Promise<ItemPage> {
    const isFirst = asked === first;
    const { request, json, url } = await ask(asked, isFirst, requestOptions);
    if (isFirst) first = request;
    const raw = toFeatureCollection(json);
    const features = Array.isArray(raw['features']) ? (raw['features'] as unknown[]) : [];
    const page = takeNew(features);
    const isEmpty = features.length === 0;
    const isRepeat = !isEmpty && page.items.length === 0 && page.skipped.length === 0;
    upcoming = tryNextRequest(raw['links'], { first, previous: request, answerUrl: url });
    // Nothing that leads to nothing again: a known way of saying that it was all (field notes §2.1).
    if (isEmpty && leadsTo(upcoming, new Set([requestKey(request)]))) upcoming = null;
    seenRequests.add(requestKey(request));
    if (upcoming !== null && (isRepeat || leadsTo(upcoming, seenRequests))) breakOff();
    return { ...page, matched: readMatched(raw) };
  }

  /** Ends although more is offered: it leads in a circle, or nowhere. */
  function breakOff(): void {
    upcoming = null;
    isIncomplete = true;
  }

  async function ask(request: PageRequest, isFirst: boolean, { signal }: RequestOptions) {
    try {
      return { request, ...(await reader.read({ ...request, signal }, onStatus)) };
    } catch (error) {
      const other = isFirst && isAppError(error) ? alternative?.(error) : null;
      if (!other) throw error;
      const answer = await reader.read({ ...other.request, signal }, onStatus).catch((second: unknown) => {
        // The same refusal twice: the first is about what was asked.
        throw isAppError(error) && isAppError(second, error.code) ? error : second;
      });
      other.onUsed();
      return { request: other.request, ...answer };
    }
  }

  function takeNew(features: readonly unknown[]): Pick<ItemPage, 'items' | 'skipped'> {
    const items: IdentifiedItem[] = [];
    const skipped: { reason: string }[] = [];
    for (const feature of features) {
      const reading = readItem(feature, { collectionId });
      if ('reason' in reading) {
        // A digest needs the JSON written out, which is just what such a one can't be.
        const key = isTooDeep(feature) ? reading.reason : digest(feature);
        if (seenMalformed.add(key)) skipped.push({ reason: reading.reason });
      } else if (seenItems.add(toItemKey(reading.ref))) {
        items.push(reading);
      }
    }
    return { items, skipped };
  }

  return {
    next,
    get hasMore() {
      return upcoming !== null;
    },
    get position() {
      return upcoming instanceof AppError ? null : upcoming;
    },
    get isIncomplete() {
      return isIncomplete;
    },
  };
}

function leadsTo(request: PageRequest | AppError | null, keys: ReadonlySet<string>): boolean {
  return request !== null && !(request instanceof AppError) && keys.has(requestKey(request));
}

function tryNextRequest(...args: Parameters<typeof nextRequest>): PageRequest | AppError | null {
  try {
    return nextRequest(...args);
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

function toFeatureCollection(json: unknown): JsonObject {
  const raw = toJsonObject(json, 'a list of items');
  const isCollection =
    Array.isArray(raw['features']) || (raw['type'] === 'FeatureCollection' && raw['features'] == null);
  if (!isCollection) throw invalidResponse('a list of items', describeJson(json));
  return raw;
}

function readMatched(raw: JsonObject): number | null {
  const context = isJsonObject(raw['context']) ? raw['context'] : {};
  return toCount(raw['numberMatched']) ?? toCount(context['matched']);
}

function toCount(value: unknown): number | null {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

function digest(feature: unknown): string {
  return createHash('sha256').update(JSON.stringify(feature)).digest('base64');
}
