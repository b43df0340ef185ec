import { setTimeout as wait } from 'node:timers/promises';
import type { LibraryLimits } from '#shared/settings/settings.ts';
import type { EvictionPreview } from '#shared/storage/storage.ts';
import { withReadable } from '../library/upkeep/choose-place.ts';
import { planEviction, type Evictable, type Eviction } from '../library/upkeep/plan-eviction.ts';
import { readBeside } from '../library/upkeep/read-beside.ts';
import { keepRulesOf } from './keep-rules-of.ts';
import { listLibraries, withUpkeep, type FoundLibrary } from './library-files.ts';
import type { StorageParts, TaskResult, TaskRun } from './storage-parts.ts';

const itemsPerStep = 1000;
/** Between two steps, so that what a person does comes first. */
const pauseMs = 5;
const dayMs = 86_400_000;

interface Plan {
  libraries: FoundLibrary[];
  evictable: Map<string, Evictable>;
  evictions: Map<string, Eviction>;
}

async function plan(parts: StorageParts, limits: LibraryLimits, signal?: AbortSignal): Promise<Plan> {
  const libraries = listLibraries(parts);
  const evictable = new Map<string, Evictable>();
  for (const library of libraries) {
    const rules = keepRulesOf(parts, library.connectionId);
    const found = await withReadable(library.filePath, (filePath) =>
      readBeside('evictable', { filePath, rules }, { signal }),
    );
    evictable.set(library.connectionId, found);
  }
  return { libraries, evictable, evictions: planEviction(evictable, { limits, nowMs: parts.clock.now() }) };
}

/** What limits would evict now. */
export async function previewEviction(
  parts: StorageParts,
  limits: LibraryLimits,
  signal?: AbortSignal,
): Promise<EvictionPreview> {
  const { evictable, evictions } = await plan(parts, limits, signal);
  const sum = <Value>(values: Iterable<Value>, of: (value: Value) => number): number =>
    [...values].reduce((all, value) => all + of(value), 0);
  const usedBytes = sum(evictable.values(), (library) => library.usedBytes);
  const sizeBytes = sum(evictions.values(), (eviction) => eviction.sizeBytes);
  return {
    usedBytes,
    itemCount: sum(evictions.values(), (eviction) => eviction.itemCount),
    sizeBytes,
    untilMs: evictions.size === 0 ? null : Math.max(...[...evictions.values()].map(({ untilMs }) => untilMs)),
    pinnedCount: sum(evictable.values(), (library) => library.keptCount),
    pinnedBytes: sum(evictable.values(), (library) => library.keptBytes),
    overLimitBytes:
      limits.sizeBytes === null ? 0 : Math.max(0, Math.round(usedBytes - sizeBytes - limits.sizeBytes)),
    libraries: [...evictions].map(([connectionId, eviction]) => ({
      connectionId,
      itemCount: eviction.itemCount,
      sizeBytes: eviction.sizeBytes,
    })),
  };
}

/** Brings the libraries within the limits, in small steps; what was evicted is noted in each library. */
export async function evict(parts: StorageParts, run: TaskRun): Promise<TaskResult> {
  const limits = parts.settings.current.libraryLimits;
  const { libraries, evictions } = await plan(parts, limits, run.signal);
  const all = [...evictions.values()].reduce((sum, { itemCount }) => sum + itemCount, 0);
  let done = 0;
  let evictedBytes = 0;
  for (const library of libraries) {
    const eviction = evictions.get(library.connectionId);
    if (!eviction) continue;
    const evicted = await evictFrom(parts, { library, eviction, run }, (count) => {
      done += count;
      run.onProgress(done / Math.max(1, all));
    });
    evictedBytes += (eviction.sizeBytes * evicted) / Math.max(1, eviction.itemCount);
  }
  await forgetOldSearches(parts, libraries);
  return { facts: { itemCount: done, sizeBytes: Math.round(evictedBytes) }, undo: null };
}

async function evictFrom(
  parts: StorageParts,
  { library, eviction, run }: { library: FoundLibrary; eviction: Eviction; run: TaskRun },
  onStep: (count: number) => void,
): Promise<number> {
  const { filePath, connectionId } = library;
  const rules = keepRulesOf(parts, connectionId);
  const pks = await readBeside('evicted', { filePath, rules, eviction }, { signal: run.signal });
  let count = 0;
  await withUpkeep(library, async (upkeep) => {
    try {
      for (let from = 0; from < pks.length; from += itemsPerStep) {
        run.signal.throwIfAborted();
        const itemPks = pks.slice(from, from + itemsPerStep);
        const gone = await upkeep.evict({ itemPks, untilMs: eviction.untilMs });
        count += gone;
        onStep(gone);
        await wait(pauseMs);
      }
    } finally {
      const sizeBytes = Math.round((eviction.sizeBytes * count) / Math.max(1, eviction.itemCount));
      const facts = { itemCount: count, sizeBytes, untilMs: eviction.untilMs };
      if (count > 0) await upkeep.note({ kind: 'evict', atMs: parts.clock.now(), facts });
    }
  });
  return count;
}

async function forgetOldSearches(parts: StorageParts, libraries: readonly FoundLibrary[]): Promise<void> {
  const { ageDays } = parts.settings.current.libraryLimits;
  if (ageDays === null) return;
  const beforeMs = parts.clock.now() - ageDays * dayMs;
  for (const library of libraries) {
    const keptQueryKeys = keepRulesOf(parts, library.connectionId).queryKeys;
    await withUpkeep(library, (upkeep) => upkeep.forgetSearches({ beforeMs, keptQueryKeys }));
  }
}
