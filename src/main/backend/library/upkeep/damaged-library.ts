import { localFilterSchema, type LocalFilter } from '#shared/search/local-filter.ts';
import { searchQuerySchema } from '#shared/search/search-query.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import { readItem, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import { unpackItem, unpackShape, type ShapeSource } from '../item-json.ts';
import type { ImportOrigin } from '../import-store.ts';
import type { KeptPart, KeptSearch, Thumbnail } from '../library.ts';
import type { ItemShape } from '../shape/item-shape.ts';
import type { FoundRow, RowValue } from './damaged-rows.ts';

/** An Item of a search by the row that it had, and what it was then. */
export interface Member {
  itemPk: number;
  contentHash: number | null;
}

const maxPosition = 1e9;

/** Small facts of the rows that Items hang on, gathered before the Items themselves are read. */
export class RowIndex {
  readonly #collectionIds = new Map<number, string>();
  readonly #items = new Map<number, { collectionPk: number; fetchedAtMs: number; isPartial: boolean }>();
  /** As they are kept, twice: one of them may be damaged. */
  readonly #packedShapes = new Map<number, Buffer[]>();
  readonly #shapes = new Map<number, ItemShape | null>();
  readonly #members = new Map<number, Map<number, Member>>();
  readonly #maybeMembers = new Map<number, Map<number, Member>>();
  readonly collections: { position: number; json: JsonObject; fetchedAtMs: number }[] = [];
  readonly queryables: { collectionIds: string[]; answer: JsonObject; fetchedAtMs: number }[] = [];
  readonly searches: FoundSearch[] = [];
  /** Files that Items came from, by the number of the search that is their record. */
  readonly files = new Map<number, ImportOrigin>();

  /** Takes note of a row, of whichever table. */
  add(row: FoundRow): void {
    const { rowNumber, values } = row;
    if (rowNumber === null) this.#addMember(values);
    else if (isItemRow(values)) this.#addItem(rowNumber, values);
    else if (isShapeRow(values)) this.#addShape(rowNumber, values[2]);
    else if (isCollectionRow(values)) this.#addCollection(rowNumber, values);
    else if (isFileRow(values)) this.#addFile(values);
    else if (isSearchRow(values)) this.#addSearch(rowNumber, values);
    else this.#addQueryables(values);
  }

  /** What Items are told by. */
  readonly shapes: ShapeSource = {
    find: (shapePk) => {
      const known = this.#shapes.get(shapePk);
      if (known !== undefined) return known;
      const shape = findReadable(this.#packedShapes.get(shapePk) ?? []);
      this.#shapes.set(shapePk, shape);
      return shape;
    },
  };

  get itemCount(): number {
    return this.#items.size;
  }

  /** Who an Item is, and when it was fetched, by its row. */
  describe(itemPk: number, fallbackMs: number) {
    const row = this.#items.get(itemPk);
    return {
      collectionId: row ? this.#collectionIds.get(row.collectionPk) : undefined,
      fetchedAtMs: row?.fetchedAtMs ?? fallbackMs,
      isPartial: row?.isPartial ?? false,
    };
  }

  /** The Items of a search, in its order. */
  membersOf(searchNumber: number): [position: number, Member][] {
    const isOfIndex = (position: number, { itemPk }: Member): boolean =>
      this.#members.get(position)?.get(itemPk)?.itemPk === searchNumber;
    const maybe = [...(this.#maybeMembers.get(searchNumber) ?? [])];
    const members = this.#members.get(searchNumber) ?? maybe.filter((one) => !isOfIndex(...one));
    return [...members].sort(([a], [b]) => a - b);
  }

  #addShape(pk: number, packed: Buffer): void {
    this.#packedShapes.set(pk, [...(this.#packedShapes.get(pk) ?? []), packed]);
    this.#shapes.delete(pk);
  }

  #addItem(pk: number, values: readonly RowValue[]): void {
    this.#items.set(pk, {
      collectionPk: Number(values[1]),
      fetchedAtMs: Number(values[11]),
      isPartial: values[12] === 1,
    });
  }

  #addCollection(pk: number, [, id, position, json, fetchedAtMs]: readonly RowValue[]): void {
    this.#collectionIds.set(pk, String(id));
    const parsed = typeof json === 'string' ? parseObject(json) : null;
    if (parsed)
      this.collections.push({ position: Number(position), json: parsed, fetchedAtMs: Number(fetchedAtMs) });
  }

  // Rows of an earlier version have three values, as those of the index by item have, which begin with the item: they
  // count where a search has no whole rows, and where they aren't the index's of another search's.
  #addMember(values: readonly RowValue[]): void {
    const [searchNumber, position, itemPk, contentHash = null] = values;
    if (![3, 4].includes(values.length)) return;
    if (!isCount(searchNumber) || !isCount(position) || !isCount(itemPk)) return;
    // The index of items by collection and time has such rows too, with microseconds in the middle.
    if (position >= maxPosition) return;
    if (!isHash(contentHash)) return;
    const searches = values.length === 4 ? this.#members : this.#maybeMembers;
    const members = searches.get(searchNumber) ?? new Map<number, Member>();
    members.set(position, { itemPk, contentHash });
    searches.set(searchNumber, members);
  }

  #addFile([, searchNumber, fileName, format, asOfMs, importedAtMs]: readonly RowValue[]): void {
    this.files.set(Number(searchNumber), {
      fileName: String(fileName),
      format: String(format),
      asOfMs: Number(asOfMs),
      importedAtMs: Number(importedAtMs),
    });
  }

  #addSearch(searchNumber: number, values: readonly RowValue[]): void {
    const [, , query, matched, isComplete, fetchedAtMs, filter, leftOutCount] = values;
    const asked = searchQuerySchema.safeParse(parseObject(String(query)));
    const filtered = localFilterSchema.nullable().safeParse(filter ? parseObject(String(filter)) : null);
    if (!asked.success || !filtered.success) return;
    this.searches.push({
      searchNumber,
      query: asked.data,
      localFilter: filtered.data,
      leftOutCount: typeof leftOutCount === 'number' ? leftOutCount : 0,
      matched: typeof matched === 'number' ? matched : null,
      isComplete: isComplete === 1,
      fetchedAtMs: Number(fetchedAtMs),
    });
  }

  #addQueryables(values: readonly RowValue[]): void {
    const [key, json, fetchedAtMs] = values;
    if (values.length !== 3 || typeof key !== 'string' || typeof json !== 'string') return;
    const answer = parseObject(json);
    const ids = tryParse(key);
    if (!answer || !Array.isArray(ids) || typeof fetchedAtMs !== 'number') return;
    const collectionIds = ids.filter((id): id is string => typeof id === 'string');
    this.queryables.push({ collectionIds, answer, fetchedAtMs });
  }
}

function isShapeRow(values: readonly RowValue[]): values is [RowValue, RowValue, Buffer] {
  return (
    values.length === 3 && values[0] === null && typeof values[1] === 'number' && Buffer.isBuffer(values[2])
  );
}

/** A search that was found, without its Items. */
interface FoundSearch {
  searchNumber: number;
  query: KeptSearch['query'];
  localFilter: LocalFilter | null;
  leftOutCount: number;
  matched: KeptPart['matched'];
  isComplete: boolean;
  fetchedAtMs: number;
}

/** The list of collections as it was shown last: an older one may be left on some page. */
export function latestCollections(
  index: RowIndex,
): { collections: StacCollection[]; fetchedAtMs: number } | null {
  const fetchedAtMs = Math.max(...index.collections.map((found) => found.fetchedAtMs));
  const latest = index.collections
    .filter((found) => found.fetchedAtMs === fetchedAtMs)
    .sort((a, b) => a.position - b.position)
    .map(({ json }) => json as StacCollection);
  return latest.length === 0 ? null : { collections: latest, fetchedAtMs };
}

/** The Item in a row of `item_json`; null for any other row, or an Item that can't be read. */
export function readItemRow(
  { rowNumber, values }: FoundRow,
  index: RowIndex,
  fallbackMs: number,
): { itemPk: number; one: IdentifiedItem; fetchedAtMs: number } | null {
  const packed = values[1];
  if (rowNumber === null || values.length !== 2 || values[0] !== null || !Buffer.isBuffer(packed))
    return null;
  try {
    const item = unpackItem(packed, index.shapes);
    const { collectionId, fetchedAtMs, isPartial } = index.describe(rowNumber, fallbackMs);
    const reading = readItem(item, { collectionId });
    if (!('ref' in reading)) return null;
    const ref: ItemRef = { ...reading.ref, ...(collectionId === undefined ? {} : { collectionId }) };
    return {
      itemPk: rowNumber,
      one: { ref, item, ...(isPartial ? { isPartial } : {}) },
      fetchedAtMs,
    };
  } catch {
    return null;
  }
}

/** The picture in a row of `thumbnail`; null for any other row. */
export function readThumbnailRow({
  rowNumber,
  values,
}: FoundRow): { itemPk: number; thumbnail: Thumbnail; fetchedAtMs: number } | null {
  const [first, mediaType, bytes, fetchedAtMs] = values;
  if (rowNumber === null || values.length !== 4 || first !== null || typeof mediaType !== 'string')
    return null;
  if (!Buffer.isBuffer(bytes) || typeof fetchedAtMs !== 'number') return null;
  return { itemPk: rowNumber, thumbnail: { mediaType, bytes }, fetchedAtMs };
}

// Tables are told apart by what their rows look like: the page that names them may be the damaged one.
function isItemRow(values: readonly RowValue[]): boolean {
  const [first, collectionPk, id, datetime] = values;
  return (
    values.length >= 12 &&
    first === null &&
    isCount(collectionPk) &&
    typeof id === 'string' &&
    typeof datetime === 'number' &&
    typeof values[11] === 'number'
  );
}

function isCollectionRow(values: readonly RowValue[]): boolean {
  const [first, id, position, json] = values;
  const isListed = typeof position === 'number' && typeof json === 'string';
  const isOnlyNamed = position === null && json === null;
  return values.length === 5 && first === null && typeof id === 'string' && (isListed || isOnlyNamed);
}

function isFileRow(values: readonly RowValue[]): boolean {
  const [first, searchNumber, fileName, format, asOfMs, importedAtMs] = values;
  return (
    values.length === 6 &&
    first === null &&
    isCount(searchNumber) &&
    typeof fileName === 'string' &&
    typeof format === 'string' &&
    isCount(asOfMs) &&
    isCount(importedAtMs)
  );
}

function isSearchRow(values: readonly RowValue[]): boolean {
  const [first, key, query, , isComplete, fetchedAtMs] = values;
  return (
    values.length >= 6 &&
    first === null &&
    typeof key === 'string' &&
    typeof query === 'string' &&
    (isComplete === 0 || isComplete === 1) &&
    typeof fetchedAtMs === 'number'
  );
}

function isHash(value: RowValue): value is number | null {
  return value === null || typeof value === 'number';
}

function isCount(value: RowValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function findReadable(copies: readonly Buffer[]): ItemShape | null {
  for (const packed of copies) {
    try {
      return unpackShape(packed);
    } catch {
      // The other copy may be sound.
    }
  }
  return null;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function parseObject(text: string): JsonObject | null {
  const value = tryParse(text);
  return isJsonObject(value) ? value : null;
}
