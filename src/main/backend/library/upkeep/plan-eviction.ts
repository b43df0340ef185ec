import type { LibraryLimits } from '#shared/settings/settings.ts';
import type { Database } from 'better-sqlite3';
import { measureFile } from './measure-usage.ts';

/** Items that were fetched at one moment and may go. */
export interface EvictableGroup {
  fetchedAtMs: number;
  itemCount: number;
  sizeBytes: number;
}

/** What a library could give up. */
export interface Evictable {
  /** The pages in use, of this library alone. */
  usedBytes: number;
  /** Of the Items that are never evicted. */
  keptCount: number;
  keptBytes: number;
  /** The oldest first. */
  groups: EvictableGroup[];
}

/** What goes from one library: the Items fetched until a moment, the oldest first, and no more than so many. */
export interface Eviction {
  untilMs: number;
  itemCount: number;
  sizeBytes: number;
}

/** Reads what may go; `markKept` comes before. Each Item is given its share of the file. */
export function readEvictable(database: Database): Evictable {
  const { usedBytes } = measureFile(database);
  const rows = database
    .prepare<[], EvictableGroup & { isKept: number }>(
      `SELECT item.fetched_at_ms AS fetchedAtMs, kept.pk IS NOT NULL AS isKept, count(*) AS itemCount,
         sum(length(zstd) + coalesce(length(bytes), 0)) AS sizeBytes
       FROM item_json JOIN item ON item.pk = item_json.item_pk
         LEFT JOIN thumbnail ON thumbnail.item_pk = item_json.item_pk LEFT JOIN temp.kept ON kept.pk = item.pk
       GROUP BY item.fetched_at_ms, isKept ORDER BY item.fetched_at_ms`,
    )
    .all();
  const sum = (name: 'itemCount' | 'sizeBytes'): number => rows.reduce((all, row) => all + row[name], 0);
  const overheadBytes = Math.max(0, usedBytes - sum('sizeBytes')) / Math.max(1, sum('itemCount'));
  const groups = rows.map(({ isKept, ...group }) => ({
    ...group,
    isKept,
    sizeBytes: Math.round(group.sizeBytes + group.itemCount * overheadBytes),
  }));
  const kept = groups.filter(({ isKept }) => isKept === 1);
  return {
    usedBytes,
    keptCount: kept.reduce((all, { itemCount }) => all + itemCount, 0),
    keptBytes: kept.reduce((all, { sizeBytes }) => all + sizeBytes, 0),
    groups: groups
      .filter(({ isKept }) => isKept === 0)
      .map(({ fetchedAtMs, itemCount, sizeBytes }) => ({ fetchedAtMs, itemCount, sizeBytes })),
  };
}

const dayMs = 86_400_000;

/**
 * Chooses what goes, over all libraries: whatever is older than the limit of age, then the oldest until the rest fits.
 * A library that gives up nothing is not in the answer.
 */
export function planEviction(
  libraries: ReadonlyMap<string, Evictable>,
  { limits, nowMs }: { limits: LibraryLimits; nowMs: number },
): Map<string, Eviction> {
  const oldestAllowedMs = limits.ageDays === null ? -Infinity : nowMs - limits.ageDays * dayMs;
  const used = [...libraries.values()].reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  let excessBytes = limits.sizeBytes === null ? 0 : used - limits.sizeBytes;
  const groups = [...libraries]
    .flatMap(([id, library]) => library.groups.map((group) => ({ id, ...group })))
    .sort((a, b) => a.fetchedAtMs - b.fetchedAtMs);
  const plan = new Map<string, Eviction>();
  for (const { id, fetchedAtMs, itemCount, sizeBytes } of groups) {
    const isTooOld = fetchedAtMs < oldestAllowedMs;
    if (!isTooOld && excessBytes <= 0) break;
    const share = isTooOld ? 1 : Math.min(1, excessBytes / Math.max(1, sizeBytes));
    const count = Math.ceil(itemCount * share);
    const size = Math.round((sizeBytes * count) / itemCount);
    const before = plan.get(id);
    plan.set(id, {
      untilMs: fetchedAtMs,
      itemCount: (before?.itemCount ?? 0) + count,
      sizeBytes: (before?.sizeBytes ?? 0) + size,
    });
    excessBytes -= size;
  }
  return plan;
}

/** The Items of a plan by their row numbers, the oldest first; `markKept` comes before. */
export function listEvicted(database: Database, { untilMs, itemCount }: Eviction): number[] {
  return database
    .prepare<[number, number], number>(
      `SELECT pk FROM item WHERE fetched_at_ms <= ? AND pk NOT IN temp.kept ORDER BY fetched_at_ms, pk LIMIT ?`,
    )
    .pluck()
    .all(untilMs, itemCount);
}
