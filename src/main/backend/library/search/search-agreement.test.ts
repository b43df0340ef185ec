import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Library, PagePosition } from '../library.ts';
import { openLibrary } from '../open-library.ts';
import type { AnswerSummary } from './answer-summary.ts';
import { searchNaively, summariseNaively } from './testing/naive-search.ts';
import { createRandom, oddItem, oddQuery, type Random } from './testing/odd-items.ts';

const itemCount = 1600;
const queryCount = 120;

let folder: string;
let library: Library;
let items: IdentifiedItem[];
const random = createRandom(11);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'swath-agree-'));
  library = openLibrary({ filePath: join(folder, 'library.sqlite') });
  items = Array.from({ length: itemCount }, (_, number) => oddItem(number, random));
  await library.saveItems(items.slice(0, itemCount / 2), 0);
}, 300_000);

afterAll(async () => {
  await library.close();
  rmSync(folder, { recursive: true, force: true });
});

// One after the other: each state of the columns goes on from the one before.
describe('the engine agrees with an evaluation of each item by itself', () => {
  it('with no columns', async () => {
    await compareAnswers(items.slice(0, itemCount / 2), random, queryCount / 3);
  }, 300_000);

  it('with columns of all items', async () => {
    await library.catchUp();
    await compareAnswers(items.slice(0, itemCount / 2), random, queryCount);
  }, 300_000);

  it('with columns that lag behind: new items, and items that changed', async () => {
    await library.saveItems(items.slice(itemCount / 2), 0);
    for (let number = 0; number < itemCount; number += 7) {
      const changed = oddItem(number, random);
      items[number] = changed;
      await library.saveItems([changed], 1);
    }
    await compareAnswers(items, random, queryCount / 3);
  }, 300_000);

  it('once they caught up', async () => {
    await library.catchUp();
    await compareAnswers(items, random, queryCount);
  }, 300_000);
});

async function compareAnswers(
  known: readonly IdentifiedItem[],
  chance: Random,
  count: number,
): Promise<void> {
  for (let round = 0; round < count; round++) {
    const query = oddQuery(known, chance);
    const expected = searchNaively(known, query);
    const found = await readAll(query, 1 + Math.floor(chance() * 400));
    expect.soft(found, JSON.stringify(query)).toEqual(expected);
    const matched = await library.engine.count(query, { maxCandidates: itemCount + 1 });
    expect.soft(matched, JSON.stringify(query)).toBe(expected.length);
    if (round % 4 !== 0) continue;
    const names = Object.keys(items[round]?.item['properties'] ?? {});
    const summary = await library.engine.summarise(query, { properties: names });
    expect.soft(toComparable(summary), JSON.stringify(query)).toEqual(summariseNaively(known, query, names));
  }
}

function toComparable({ properties, ...summary }: AnswerSummary) {
  return {
    ...summary,
    properties: properties.map(
      ({ property, itemCount, values, unlistedCount, numbers, structuredCount }) => ({
        property,
        itemCount,
        // Of the many that are no longer listed, only how many there are can be compared.
        texts:
          unlistedCount > 0 ? expect.anything() : new Map(values.map((one) => [one.value, one.itemCount])),
        numberCount: numbers?.itemCounts.reduce((sum, one) => sum + one, 0) ?? 0,
        range: numbers && [numbers.min, numbers.max],
        structuredCount,
      }),
    ),
  };
}

async function readAll(query: SearchQuery, limit: number): Promise<string[]> {
  const found: string[] = [];
  let after: PagePosition | null = null;
  do {
    const page = await library.engine.search(query, { limit, after });
    found.push(...page.items.map(({ ref }) => `${ref.collectionId}/${ref.itemId}`));
    after = page.next;
  } while (after);
  return found;
}
