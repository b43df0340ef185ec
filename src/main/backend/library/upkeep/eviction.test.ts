import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toQueryKey } from '#shared/search/query-key.ts';
import { openLibrary } from '../open-library.ts';
import { evictItems, forgetSearches } from './evict-items.ts';
import { markKept, noKeepRules, type KeepRules } from './keep-rules.ts';
import { listEvicted, planEviction, readEvictable } from './plan-eviction.ts';
import { fill, makeFolder, makeLibrary, withFile } from './testing/fill-library.ts';
import { verifyLibrary } from './verify-library.ts';
import { unwatched } from './work-watch.ts';

const day = 86_400_000;
const nowMs = 100 * day;

async function makeThreeAges(): Promise<string> {
  const filePath = join(makeFolder(), 'library.sqlite');
  await makeLibrary(filePath, [
    { collectionId: 'old', from: 0, count: 300, fetchedAtMs: nowMs - 50 * day },
    { collectionId: 'middle', from: 1000, count: 300, fetchedAtMs: nowMs - 20 * day },
    { collectionId: 'new', from: 2000, count: 300, fetchedAtMs: nowMs - day },
  ]);
  return filePath;
}

function evict(
  filePath: string,
  limits: { sizeBytes?: number; ageDays?: number },
  rules: Partial<KeepRules> = {},
): { planned: number; evicted: number } {
  return withFile(filePath, (database) => {
    markKept(database, { ...noKeepRules, ...rules });
    const plan = planEviction(new Map([['a', readEvictable(database)]]), {
      limits: { sizeBytes: limits.sizeBytes ?? null, ageDays: limits.ageDays ?? null },
      nowMs,
    }).get('a');
    if (!plan) return { planned: 0, evicted: 0 };
    const itemPks = listEvicted(database, plan);
    const evicted = evictItems(database, { itemPks, untilMs: plan.untilMs });
    return { planned: plan.itemCount, evicted };
  });
}

async function countOf(filePath: string, collectionId: string): Promise<number | null> {
  const library = openLibrary({ filePath });
  try {
    return await library.engine.count({ collections: [collectionId] }, { maxCandidates: 1e6 });
  } finally {
    await library.close();
  }
}

it('evicts what is older than the limit of age, and leaves a sound library', async () => {
  const filePath = await makeThreeAges();
  expect(evict(filePath, { ageDays: 30 })).toEqual({ planned: 300, evicted: 300 });
  expect(await countOf(filePath, 'old')).toBe(0);
  expect(await countOf(filePath, 'middle')).toBe(300);
  const findings = withFile(filePath, (database) =>
    verifyLibrary(database, { isThorough: true, watch: unwatched }),
  );
  expect(findings).toEqual({ itemCount: 600, readCount: 600, problems: [] });
});

it('evicts the oldest first until the rest fits', async () => {
  const filePath = await makeThreeAges();
  const used = withFile(filePath, (database) => {
    markKept(database, noKeepRules);
    return readEvictable(database).usedBytes;
  });
  const { planned, evicted } = evict(filePath, { sizeBytes: Math.round(used / 2) });
  expect(evicted).toBe(planned);
  expect(planned).toBeGreaterThan(400);
  expect(planned).toBeLessThan(500);
  expect(await countOf(filePath, 'old')).toBe(0);
  expect(await countOf(filePath, 'middle')).toBe(600 - planned);
  expect(await countOf(filePath, 'new')).toBe(300);
});

it.each([
  ['a search', { queryKeys: [toQueryKey({ collections: ['old'] })] }, 300],
  ['a collection', { collectionIds: ['old'] }, 300],
  // Of the first 300 items, one degree each from 175° W, those of 100 degrees.
  [
    'an area',
    {
      areas: [
        {
          type: 'Polygon' as const,
          coordinates: [
            [
              [-175, -1],
              [-75.2, -1],
              [-75.2, 0.9],
              [-175, 0.9],
              [-175, -1],
            ],
          ],
        },
      ],
    },
    100,
  ],
  ['one item', { refs: [{ collectionId: 'old', itemId: 'old-000007' }] }, 1],
  ['what a running job fetched', { fetchedSinceMs: nowMs - 50 * day }, 300],
])('never evicts %s that is kept', async (_name, rules, keptCount) => {
  const filePath = await makeThreeAges();
  expect(evict(filePath, { ageDays: 30, sizeBytes: 0 }, rules).evicted).toBe(
    'fetchedSinceMs' in rules ? 0 : 900 - keptCount,
  );
  expect(await countOf(filePath, 'old')).toBe(keptCount);
});

it('leaves an item alone that was fetched again meanwhile', async () => {
  const filePath = await makeThreeAges();
  const pks = withFile(filePath, (database) => {
    markKept(database, noKeepRules);
    return listEvicted(database, { untilMs: nowMs - 50 * day, itemCount: 300, sizeBytes: 0 });
  });
  const library = openLibrary({ filePath });
  const again = library.item({ collectionId: 'old', itemId: 'old-000003' });
  if (again) await library.saveItems([again.value], nowMs);
  await library.close();
  const evicted = withFile(filePath, (database) =>
    evictItems(database, { itemPks: pks, untilMs: nowMs - 50 * day }),
  );
  expect(evicted).toBe(299);
  expect(await countOf(filePath, 'old')).toBe(1);
});

it('lets the record of a search say how many of its items are gone', async () => {
  const filePath = await makeThreeAges();
  const limits = { sizeBytes: null, ageDays: 30 };
  withFile(filePath, (database) => {
    markKept(database, { ...noKeepRules, refs: [{ collectionId: 'old', itemId: 'old-000000' }] });
    const plan = planEviction(new Map([['a', readEvictable(database)]]), { limits, nowMs }).get('a');
    if (plan) evictItems(database, { itemPks: listEvicted(database, plan), untilMs: plan.untilMs });
  });
  const library = openLibrary({ filePath });
  const [newest, , oldest] = library.pastSearches({ limit: 3 });
  expect(oldest).toMatchObject({ count: 300, evictedCount: 299, matched: 300, isComplete: true });
  expect(newest).toMatchObject({ count: 300, evictedCount: 0 });
  // It no longer proves that all of them are here.
  const complete = library.runs.completeRuns().map(({ searchNumber }) => searchNumber);
  expect(complete).toContain(newest?.searchNumber);
  expect(complete).not.toContain(oldest?.searchNumber);
  await library.close();
});

it('knows by its question what a record is complete of that has the number of a forgotten one', async () => {
  const filePath = join(makeFolder(), 'library.sqlite');
  await makeLibrary(filePath, [{ collectionId: 'old', from: 0, count: 3, fetchedAtMs: 1 }]);
  const library = openLibrary({ filePath });
  expect(library.runs.completeRuns()).toMatchObject([{ query: { collections: ['old'] } }]);
  withFile(filePath, (database) => forgetSearches(database, { beforeMs: nowMs, keptQueryKeys: [] }));
  await fill(library, { collectionId: 'new', from: 0, count: 3, fetchedAtMs: nowMs });
  expect(library.runs.completeRuns()).toMatchObject([{ searchNumber: 1, query: { collections: ['new'] } }]);
  await library.close();
});

it('lets a comparison say that what looks new may have been there before', async () => {
  const filePath = await makeThreeAges();
  evict(filePath, { ageDays: 30 });
  const library = openLibrary({ filePath });
  await fill(library, { collectionId: 'old', from: 0, count: 300, fetchedAtMs: nowMs });
  const [again] = library.pastSearches({ limit: 1 });
  const [newer = 0, older = 0] = library.runs.numbersOf(again?.searchNumber ?? 0);
  const { added, evictedCounts } = library.runs.compare(older, newer);
  expect([added.length, evictedCounts]).toEqual([300, { older: 300, newer: 0 }]);
  await library.close();
});
