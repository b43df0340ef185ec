import { isAppError } from '#shared/errors/app-error.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { NotebookRecovery } from '#shared/storage/storage.ts';
import { setAside } from '../library/upkeep/set-aside.ts';
import { openNotebook, type Notebook } from '../notebook/notebook.ts';
import { withoutTodo } from '../notebook/offline-job-store.ts';
import type { Clock, Logger } from '../ports.ts';
import { readDamagedNotebook, type FoundNotes } from './damaged-notebook.ts';

/** Items whose marks are written in one transaction. */
const marksPerStep = 10_000;

/**
 * Opens the notebook of a folder that this program has alone. A damaged one is put aside, and what a person made comes
 * into a new one as far as it can be read. Rules begin anew: without all that they have dealt with they would order it
 * once more. What is new since the last look stays known. What was taken offline begins anew as well, where something
 * was still to come.
 * @throws AppError `library.newer-schema`, `library.in-use`
 */
export function openHealthyNotebook(
  filePath: string,
  { clock, logger }: { clock: Clock; logger: Logger },
): { notebook: Notebook; recovery: NotebookRecovery | null } {
  try {
    return { notebook: openNotebook({ filePath, isChecked: true }), recovery: null };
  } catch (thrown) {
    if (!isAppError(thrown, 'library.corrupt')) throw thrown;
    logger.error('notebook damaged', { file: filePath, reason: thrown.message });
  }
  const atMs = clock.now();
  const damagedPath = setAside(filePath, { state: 'damaged', nowMs: atMs });
  const notebook = openNotebook({ filePath });
  const counts = bringBack(readDamagedNotebook(damagedPath), notebook);
  logger.warn('notebook recovered', { damagedPath, ...counts });
  return { notebook, recovery: { damagedPath, atMs, counts } };
}

function bringBack(found: FoundNotes, notebook: Notebook): NotebookRecovery['counts'] {
  const { areas, pins, downloadFolders, assetRules } = notebook;
  const counts = { searches: 0, looks: 0, rules: 0, jobs: 0, areas: 0, pins: 0 };
  bringSearches(found, notebook, counts);
  bringJobs(found, notebook, counts);
  const names = new Set<string>();
  const areaIds = new Map<string, string>();
  for (const { areaId, name, geometry, createdAtMs } of found.areas) {
    if (names.has(name)) continue;
    names.add(name);
    areaIds.set(String(areaId), String(areas.keep({ name, geometry }, createdAtMs)));
    counts.areas += 1;
  }
  for (const { createdAtMs, ...pin } of found.pins) {
    const ref = pin.kind === 'area' ? areaIds.get(pin.ref) : pin.ref;
    if (ref === undefined || pins.has({ ...pin, ref })) continue;
    pins.add({ ...pin, ref }, createdAtMs);
    counts.pins += 1;
  }
  for (const { connectionId, path, usedAtMs } of found.folders)
    downloadFolders.note(connectionId, path, usedAtMs);
  for (const { connectionId, collectionId, rule } of found.assetRules)
    assetRules.save(connectionId, [collectionId], rule);
  return counts;
}

type Counts = NotebookRecovery['counts'];

function bringSearches(found: FoundNotes, notebook: Notebook, counts: Counts): void {
  const { savedSearches, downloadRules } = notebook;
  const rules = new Map(found.rules.map((rule) => [rule.searchId, rule]));
  for (const { searchId, createdAtMs, lookedAtMs, ...search } of found.searches) {
    if (savedSearches.findByName(search.connectionId, search.name)) continue;
    const { savedSearchId } = savedSearches.save({ ...search, nowMs: createdAtMs });
    counts.searches += 1;
    const rule = rules.get(searchId);
    if (rule) {
      downloadRules.save(savedSearchId, rule.terms, { isPrimed: false, nowMs: rule.createdAtMs });
      if (!rule.isOn) downloadRules.switch(savedSearchId, false);
      counts.rules += 1;
    }
    const { seen, either } = found.marks;
    // What may be a rule's own was perhaps seen by nobody, who would never be told of it.
    const marks = [...(seen.get(searchId) ?? []), ...((!rule && either.get(searchId)) || [])];
    if (bringLook(notebook, savedSearchId, { lookedAtMs, seen: marks })) counts.looks += 1;
  }
}

// What a damaged page knew is called new once more.
function bringLook(
  { savedSearches }: Notebook,
  savedSearchId: number,
  { lookedAtMs, seen }: { lookedAtMs: number | null; seen: readonly ItemRef[] },
): boolean {
  if (lookedAtMs === null || seen.length === 0) return false;
  for (let from = 0; from < seen.length; from += marksPerStep)
    savedSearches.addSeen(savedSearchId, seen.slice(from, from + marksPerStep));
  savedSearches.noteLook(savedSearchId, lookedAtMs);
  return true;
}

function bringJobs({ jobs }: FoundNotes, { offlineJobs }: Notebook, counts: Counts): void {
  const each = new Map(jobs.map((job) => [job.jobId, job]));
  for (const job of [...each.values()].sort((a, b) => a.jobId - b.jobId)) {
    offlineJobs.bringBack(withoutTodo(job));
    counts.jobs += 1;
  }
}
