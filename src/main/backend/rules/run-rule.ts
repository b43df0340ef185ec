import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { isPastLateItems } from '#shared/search/past-late-items.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { RuleRun } from '#shared/transfer/download-rule.ts';
import type { CatalogClient } from '../catalog/catalog-client.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { DownloadRuleStore, KeptRule } from '../notebook/download-rule-store.ts';
import type { RuleMark } from '../notebook/rule-marks.ts';
import type { Clock } from '../ports.ts';
import { findNewItems, findPresentItems } from './find-new-items.ts';
import { keysDealtWith, takeNew, wantedFiles, wantedOf, type NewItem } from './new-assets.ts';

/** What a rule runs with. */
export interface RuleParts {
  rules: DownloadRuleStore;
  downloads: Pick<Downloads, 'order' | 'plan'>;
  /** Asks the catalog of a rule. */
  ask: <Answer>(
    connectionId: string,
    question: (catalog: CatalogClient) => Promise<Answer>,
  ) => Promise<Answer>;
  clock: Clock;
}

/** A rule that is to run, with what its saved search asks. */
export interface RuleOrder {
  rule: KeptRule;
  name: string;
  question: SavedQuestion;
}

type Outcome = Omit<RuleRun, 'at' | 'error'>;

const nothingDone: Outcome = {
  isFirst: false,
  itemCount: 0,
  fileCount: 0,
  knownBytes: 0,
  downloadId: null,
  leftCount: 0,
  tooLargeCount: 0,
};
const marksPerWrite = 500;

/** Runs a rule and notes what it did. What goes wrong is noted too, and not thrown. @throws AppError `cancelled` */
export async function runRule(parts: RuleParts, order: RuleOrder, signal: AbortSignal): Promise<RuleRun> {
  const at = new Date(parts.clock.now()).toISOString();
  const { savedSearchId } = order.rule;
  let run: RuleRun;
  try {
    const outcome = order.rule.isPrimed
      ? await orderNew(parts, order, signal)
      : await notePresent(parts, order, signal);
    run = { at, ...outcome, error: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (signal.aborted) throw error;
    run = { at, ...nothingDone, error: error.toData() };
  }
  parts.rules.noteRun(savedSearchId, run);
  return run;
}

async function notePresent(
  { rules, ask }: RuleParts,
  { rule, question }: RuleOrder,
  signal: AbortSignal,
): Promise<Outcome> {
  let itemCount = 0;
  await ask(rule.connectionId, async (catalog) => {
    for await (const refs of findPresentItems(catalog, { question, signal })) {
      itemCount += refs.length;
      rules.addMarks(
        rule.savedSearchId,
        refs.map((ref) => ({ ref, dealtWith: 'all' })),
      );
    }
  });
  rules.notePrimed(rule.savedSearchId);
  return { ...nothingDone, isFirst: true, itemCount };
}

async function orderNew(parts: RuleParts, order: RuleOrder, signal: AbortSignal): Promise<Outcome> {
  const { rules, downloads, ask, clock } = parts;
  const { rule, name, question } = order;
  const nowMs = clock.now();
  const { connectionId, savedSearchId, destination, links, choice } = rule;
  const findNew = (items: readonly IdentifiedItem[]) => {
    const refs = items.map(({ ref }) => ref);
    return takeNew(items, rules.dealtWith(savedSearchId, refs), choice);
  };
  const found = await ask(connectionId, (catalog) =>
    findNewItems(catalog, { question, findNew, nowMs, signal }),
  );
  const { taken, marks, leftCount, tooLargeCount, emptyCount, knownBytes } = takeWithin(found, rule, nowMs);
  const itemCount = found.length - emptyCount;
  const outcome: Outcome = { ...nothingDone, itemCount, leftCount, tooLargeCount };
  if (taken.length > 0) {
    const items = taken.map((one) => ({ ref: one.ref, item: one.item, wanted: wantedOf(one, choice) }));
    const { space } = await downloads.plan({ connectionId, destination, items }, { signal });
    if (space !== null && space.leftBytes < 0) throw noRoom(space, knownBytes);
    const title = name.slice(0, 500);
    const origin = { kind: 'rule', name } as const;
    const placed = await downloads.order(
      { connectionId, destination, links, title, origin, priority: 'normal', items, itemCount: items.length },
      // What a person has paused or cancelled is theirs.
      { signal, takesOver: false },
    );
    outcome.downloadId = placed.downloadId;
    outcome.fileCount = placed.downloadId === null ? 0 : placed.fileCount;
    outcome.knownBytes = placed.downloadId === null ? 0 : knownBytes;
  }
  // Only now: a run that ended before finds them again, and the queue knows what it has.
  for (let start = 0; start < marks.length; start += marksPerWrite)
    rules.addMarks(savedSearchId, marks.slice(start, start + marksPerWrite));
  return outcome;
}

/**
 * What of the new Items the limits of one run let through, the oldest first. An Item that is too large is looked at again,
 * as the limits may be raised; so is one that has nothing that is wanted yet, as long as catalogs publish late.
 */
function takeWithin(found: readonly NewItem[], { choice, maxFiles, maxBytes }: KeptRule, nowMs: number) {
  const taken: NewItem[] = [];
  const marks: RuleMark[] = [];
  let [fileCount, knownBytes, leftCount, tooLargeCount, emptyCount] = [0, 0, 0, 0, 0];
  for (const one of found) {
    const files = wantedFiles(one, choice);
    const bytes = files.reduce((sum, { announcedBytes }) => sum + (announcedBytes ?? 0), 0);
    const isTooLarge = files.length > maxFiles || bytes > (maxBytes ?? Infinity);
    const fits = fileCount + files.length <= maxFiles && knownBytes + bytes <= (maxBytes ?? Infinity);
    if (files.length > 0 && !isTooLarge) {
      // What comes after one that has to wait waits, too: the oldest always come first.
      if (!fits || leftCount > 0) {
        leftCount += 1;
        continue;
      }
      taken.push(one);
      fileCount += files.length;
      knownBytes += bytes;
      marks.push({ ref: one.ref, dealtWith: keysDealtWith(one, choice) });
    } else if (isTooLarge) tooLargeCount += 1;
    else if (isPastLateItems([one], nowMs)) marks.push({ ref: one.ref, dealtWith: 'all' });
    else emptyCount += 1;
  }
  return { taken, marks, leftCount, tooLargeCount, emptyCount, knownBytes };
}

function noRoom({ freeBytes }: { freeBytes: number }, neededBytes: number): AppError {
  return new AppError('transfer.disk-full', 'The disk has no room for what is new', {
    details: { freeBytes, neededBytes },
    retryable: true,
  });
}
