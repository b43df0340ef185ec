import { isAppError } from '#shared/errors/app-error.ts';
import { toQueryKey } from '#shared/search/query-key.ts';
import type { KeepRules } from '../library/upkeep/keep-rules.ts';
import { toWholeQuery } from '../offline/whole-query.ts';
import type { StorageParts } from './storage-parts.ts';

/** What is never evicted from a catalog's library: pins, Items of downloads, and what the jobs on the list took offline. */
export function keepRulesOf({ notebook, downloads }: StorageParts, connectionId: string): KeepRules {
  const pins = notebook.pins.list(connectionId);
  const refsOf = (kind: string): string[] => pins.filter((pin) => pin.kind === kind).map(({ ref }) => ref);
  const jobs = notebook.offlineJobs.list().filter((job) => job.connectionId === connectionId);
  const begun = jobs.filter(({ state }) => state === 'active' || state === 'paused');
  return {
    queryKeys: [...refsOf('search'), ...jobs.map(({ question }) => toQueryKey(toWholeQuery(question.query)))],
    collectionIds: refsOf('collection'),
    areas: refsOf('area').flatMap((ref) => {
      try {
        return [notebook.areas.get(Number(ref)).geometry];
      } catch (thrown) {
        // An area that was removed keeps nothing any more.
        if (isAppError(thrown, 'saved.not-found')) return [];
        throw thrown;
      }
    }),
    // Of whichever catalog: an Item too many that stays costs nothing.
    refs: downloads.items(),
    fetchedSinceMs: begun.length === 0 ? null : Math.min(...begun.map(({ startedAtMs }) => startedAtMs)),
  };
}
