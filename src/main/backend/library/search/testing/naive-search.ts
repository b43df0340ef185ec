import { booleanIntersects } from '@turf/boolean-intersects';
import type { Geometry } from 'geojson';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';

type Json = Record<string, unknown>;

/**
 * Answers a question by looking at each Item, as catalog-service.md §4.6 reads: nothing here is shared with the engine
 * but the test of two geometries. Ids in the order of the answer.
 */
export function searchNaively(items: readonly IdentifiedItem[], query: SearchQuery): string[] {
  const [sort] = query.sortby ?? [];
  const isByCloudCover = sort?.field.endsWith('eo:cloud_cover') ?? false;
  const sign = (sort?.direction ?? 'desc') === 'desc' ? -1 : 1;
  const valueOf = (one: IdentifiedItem): number => {
    const own = isByCloudCover ? properties(one)['eo:cloud_cover'] : (timesOf(one)[0] ?? -Infinity);
    return typeof own === 'number' ? own : NaN;
  };
  return items
    .filter((one) => meets(one, query) && !(isByCloudCover && !Number.isFinite(valueOf(one))))
    .toSorted(
      (a, b) =>
        (valueOf(a) === valueOf(b) ? 0 : sign * (valueOf(a) - valueOf(b))) ||
        compareTexts(a.ref.itemId, b.ref.itemId) ||
        compareTexts(a.ref.collectionId, b.ref.collectionId),
    )
    .map(({ ref }) => `${ref.collectionId}/${ref.itemId}`);
}

/** Counts an answer one Item after the other, with the keys of `searchNaively`. */
export function summariseNaively(
  items: readonly IdentifiedItem[],
  query: SearchQuery,
  names: readonly string[],
) {
  const found = new Set(searchNaively(items, query));
  const matching = items.filter(({ ref }) => found.has(`${ref.collectionId}/${ref.itemId}`));
  const sorted = (counts: Record<string, unknown[] | undefined>) =>
    Object.entries(counts).toSorted(([a], [b]) => compareTexts(a, b));
  const monthOf = (one: IdentifiedItem) => {
    const ms = timesOf(one)[0];
    return ms === null ? 'undated' : new Date(Math.floor(ms)).toISOString().slice(0, 7);
  };
  const byMonth = sorted(Object.groupBy(matching, monthOf));
  return {
    itemCount: matching.length,
    collections: sorted(Object.groupBy(matching, ({ ref }) => ref.collectionId)).map(
      ([collectionId, ofIt]) => ({ collectionId, itemCount: ofIt?.length }),
    ),
    months: byMonth
      .filter(([month]) => month !== 'undated')
      .map(([month, ofIt]) => ({ month, itemCount: ofIt?.length })),
    undatedCount: matching.filter((one) => monthOf(one) === 'undated').length,
    properties: names.map((property) => {
      const values = matching.map((one) => properties(one)[property] ?? null).filter((one) => one !== null);
      const numbers = values.filter((one) => typeof one === 'number');
      const words = values.filter((one) => typeof one === 'string' || typeof one === 'boolean');
      return {
        property,
        itemCount: values.length,
        texts: new Map([...new Set(words)].map((word) => [word, words.filter((one) => one === word).length])),
        numberCount: numbers.length,
        range: numbers.length === 0 ? null : [Math.min(...numbers) + 0, Math.max(...numbers) + 0],
        structuredCount: values.filter((one) => typeof one === 'object').length,
      };
    }),
  };
}

function meets(one: IdentifiedItem, query: SearchQuery): boolean {
  const { collections, ids, datetime, bbox, intersects } = query;
  const { ref, item } = one;
  return (
    (!collections || collections.includes(ref.collectionId)) &&
    (!ids || ids.includes(ref.itemId)) &&
    (!datetime || meetsInterval(timesOf(one), datetime)) &&
    (!bbox || meetsBox(item, bbox)) &&
    (!intersects || meetsGeometry(item, intersects)) &&
    Object.entries(query.query ?? {}).every(([name, operators]) =>
      Object.entries(operators).every(([operator, operand]) =>
        meetsOperator(properties(one)[name], operator, operand),
      ),
    )
  );
}

function meetsGeometry(item: Json, geometry: Geometry): boolean {
  const own = item['geometry'] as Geometry | null;
  return own !== null && booleanIntersects(own, geometry);
}

function properties({ item }: IdentifiedItem): Json {
  return (item['properties'] ?? {}) as Json;
}

// Milliseconds with a fraction; the end first where there is only one.
function timesOf(one: IdentifiedItem): [number | null, number | null] {
  const read = (name: string) => toMs(properties(one)[name]);
  const instant = read('datetime');
  if (instant !== null) return [instant, instant];
  const [start, end] = [read('start_datetime'), read('end_datetime')];
  return [start ?? end, end ?? start];
}

function toMs(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return null;
  const fraction = /\.(\d+)/.exec(value)?.[1] ?? '';
  const whole = Date.parse(value.replace(/\.\d+/, ''));
  return Number.isNaN(whole) ? null : whole + Number(`0.${fraction || '0'}`) * 1000;
}

function meetsInterval([start, end]: [number | null, number | null], datetime: string): boolean {
  if (start === null || end === null) return false;
  const [from = '', to = ''] = datetime.includes('/') ? datetime.split('/') : [datetime, datetime];
  return (from === '..' || end >= (toMs(from) ?? NaN)) && (to === '..' || start <= (toMs(to) ?? NaN));
}

function meetsBox(item: Json, box: readonly number[]): boolean {
  const own = boxOf(item);
  if (!own) return false;
  const [west = 0, south = 0, east = 0, north = 0] = box;
  const [w = 0, s = 0, e = 0, n = 0] = own;
  const spans = (from: number, to: number) =>
    from <= to
      ? [[from, to]]
      : [
          [from, 180],
          [-180, to],
        ];
  const isBeside = spans(w, e).some(([a = 0, b = 0]) =>
    spans(west, east).some(([c = 0, d = 0]) => a <= d && b >= c),
  );
  return isBeside && s <= north && n >= south;
}

// The Item's own box, or one around its geometry where it has none.
function boxOf(item: Json): number[] | null {
  const own = item['bbox'] as number[] | null;
  if (own) return own.length === 6 ? [own[0] ?? 0, own[1] ?? 0, own[3] ?? 0, own[4] ?? 0] : own;
  const positions = JSON.stringify((item['geometry'] as Json | null)?.['coordinates'] ?? null).match(
    /\[-?[\d.]+,-?[\d.]+\]/g,
  );
  if (!positions) return null;
  const numbers = positions.map((position) => JSON.parse(position) as [number, number]);
  const [xs, ys] = [numbers.map(([x]) => x), numbers.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function meetsOperator(value: unknown, operator: string, operand: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (operator === 'in') return (operand as unknown[]).some((one) => meetsOperator(value, 'eq', one));
  const [a, b] = [toMs(value), toMs(operand)];
  const [left, right] = a !== null && b !== null ? [a, b] : [value, operand];
  if (operator === 'eq') return left === right;
  if (operator === 'neq') return left !== right;
  // Of two booleans none is less.
  if (typeof left === 'boolean') return left === right && operator.endsWith('e');
  return typeof left === typeof right && typeof left !== 'object' && isOrdered(left, operator, right);
}

function isOrdered(left: unknown, operator: string, right: unknown): boolean {
  const [x, y] = [left as number, right as number];
  return { lt: x < y, lte: x <= y, gt: x > y, gte: x >= y }[operator] ?? false;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
