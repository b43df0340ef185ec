import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { propertiesOf, type IdentifiedItem } from '#shared/stac/item.ts';
import type { Library, PagePosition } from '../library.ts';
import { openLibrary } from '../open-library.ts';
import { searchNaively } from './testing/naive-search.ts';
import { createRandom, oddItem, oddQuery } from './testing/odd-items.ts';

/** More than a block of columns, so that the front of an order has Items of two. */
const itemCount = 9500;
const blockSize = 8192;
const firstMs = Date.UTC(2025, 0, 1);

let folder: string;
let library: Library;
let items: IdentifiedItem[];
const random = createRandom(5);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'swath-front-'));
  library = openLibrary({ filePath: join(folder, 'library.sqlite') });
  items = Array.from({ length: itemCount }, (_, number) => inTwoForms(number));
  tieAtEndOfFront();
  await library.saveItems(items, 0);
  await library.catchUp();
}, 300_000);

afterAll(async () => {
  await library.close();
  rmSync(folder, { recursive: true, force: true });
});

// The last of the newest that are a front has the time of the one behind it.
function tieAtEndOfFront(): void {
  const newestFirst = searchNaively(items, {});
  const [last, next] = [blockSize - 1, blockSize].map((rank) =>
    items.find(({ ref }) => `${ref.collectionId}/${ref.itemId}` === newestFirst[rank]),
  );
  if (last && next) propertiesOf(last.item)['datetime'] = propertiesOf(next.item)['datetime'];
}

function isoOf(number: number): string {
  return new Date(firstMs + ((number * 7919) % itemCount) * 60_000).toISOString();
}

// Most with a time of their own, and properties that are kept in another form in the first block than in the second.
function inTwoForms(number: number): IdentifiedItem {
  const { ref, item } = oddItem(number, random);
  const isInFirst = number < blockSize - 1;
  const iso = isoOf(number);
  const properties = {
    ...propertiesOf(item),
    ...(number % 10 === 0 ? {} : { datetime: iso }),
    mixed: isInFirst || number % 2 === 0 ? number % 20 : `v${String(number % 20)}`,
    stamp: isInFirst ? `${iso.slice(0, -5)}Z` : iso,
    serial: isInFirst ? `s-${String(number)}` : `s-${String(number % 5)}`,
    ...(isInFirst ? { early: number % 3 } : {}),
    same: `t${String(number % 4)}`,
  };
  return { ref, item: { ...item, properties } };
}

const wide = { type: 'Polygon' as const, coordinates: [ring(-120, -50, 100, 60)] };

function ring(west: number, south: number, east: number, north: number): number[][] {
  return [
    [west, south],
    [east, south + 5],
    [east - 3, north],
    [west, north],
    [west, south],
  ];
}

// What is no time is compared as a text: with a fraction the time comes before this, without one after.
function textBeside(number: number): string {
  return `${isoOf(number).slice(0, -5)}A`;
}

const questions: Record<string, SearchQuery> = {
  all: {},
  'oldest first': { sortby: [{ field: 'datetime', direction: 'asc' }] },
  'by cloud cover': { sortby: [{ field: 'eo:cloud_cover', direction: 'desc' }] },
  'of one collection': { collections: ['b'] },
  'within a box': { bbox: [-100, -40, 60, 50] },
  'touching a wide area': { intersects: wide },
  'with a number that is a text elsewhere': { query: { mixed: { eq: 3 } } },
  'with a text that is a number elsewhere': { query: { mixed: { in: ['v3', 'v5', 7] } } },
  'after a time of mixed precision': { query: { stamp: { gt: '2025-01-05T00:00:00.000Z' } } },
  'before a text beside a time of the first block': { query: { stamp: { lt: textBeside(1001) } } },
  'before a text beside a time of the second block': { query: { stamp: { lt: textBeside(9003) } } },
  'with one of many texts': { query: { serial: { eq: 's-3' } } },
  'without one of many texts': { query: { serial: { neq: 's-3' } } },
  'with a value that only some have': { query: { early: { gte: 1 } } },
  'with a common text': { query: { same: { eq: 't2' } } },
};

it.each(Object.entries(questions))('gives page after page, asked again: %s', async (_name, query) => {
  const expected = searchNaively(items, query);
  expect(expected.length).toBeGreaterThan(0);
  for (let time = 0; time < 2; time++)
    expect(differenceOf(await readSome(query, 450), expected.slice(0, 9000))).toBe('none');
  // Of three such pages the last ends one behind the front.
  expect(differenceOf(await readSome(query, (blockSize + 1) / 3), expected)).toBe('none');
});

it('gives the same for whatever is asked', async () => {
  for (let round = 0; round < 60; round++) {
    const query = oddQuery(items, random);
    const expected = searchNaively(items, query);
    const difference = differenceOf(await readSome(query, 97, 2), expected.slice(0, 194));
    expect.soft(difference, JSON.stringify(query)).toBe('none');
  }
});

it('shows an item that comes, changes or goes, in its place', async () => {
  const first = async () =>
    (await library.engine.search({}, { limit: 3 })).items.map(({ ref }) => ref.itemId);
  const before = [await first(), await first(), await first()].at(-1) ?? [];
  const newest = { ...items[0]?.item, id: 'newest', properties: { datetime: '2030-01-01T00:00:00Z' } };
  await library.saveItems([{ ref: { collectionId: 'a', itemId: 'newest' }, item: newest }], 1);
  for (let time = 0; time < 3; time++) expect(await first()).toEqual(['newest', ...before.slice(0, 2)]);
  await library.catchUp();
  for (let time = 0; time < 3; time++) expect(await first()).toEqual(['newest', ...before.slice(0, 2)]);
  const older = { ...newest, properties: { datetime: '1990-01-01T00:00:00Z' } };
  await library.saveItems([{ ref: { collectionId: 'a', itemId: 'newest' }, item: older }], 2);
  for (let time = 0; time < 3; time++) expect(await first()).toEqual(before);
  await library.catchUp();
  for (let time = 0; time < 3; time++) expect(await first()).toEqual(before);
});

// In words: of thousands of Items the few that tell what is wrong.
function differenceOf(found: readonly string[], expected: readonly string[]): string {
  const place = Array.from({ length: Math.max(found.length, expected.length) }).findIndex(
    (_, index) => found[index] !== expected[index],
  );
  if (place < 0) return 'none';
  const [inFound, inExpected] = [new Set(found), new Set(expected)];
  const lost = expected.filter((one) => !inFound.has(one));
  const added = found.filter((one) => !inExpected.has(one));
  const few = (all: readonly string[]) => `${String(all.length)} (${all.slice(0, 5).join(' ')})`;
  const isDouble = inFound.size < found.length ? ', some twice' : '';
  const beside = `${found.slice(place, place + 3).join(' ')} for ${expected.slice(place, place + 3).join(' ')}`;
  return `at ${String(place)} ${beside}; lost ${few(lost)}, added ${few(added)}${isDouble}`;
}

// The first pages, up to 9,000 Items by default: to the end of the front and beyond.
async function readSome(query: SearchQuery, limit: number, pages = 20): Promise<string[]> {
  const found: string[] = [];
  let after: PagePosition | null = null;
  for (let page = 0; page < pages; page++) {
    const answer = await library.engine.search(query, { limit, after });
    found.push(...answer.items.map(({ ref }) => `${ref.collectionId}/${ref.itemId}`));
    after = answer.next;
    if (!after) break;
  }
  return found;
}
