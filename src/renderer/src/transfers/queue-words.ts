import type { ErrorCode } from '#shared/errors/error-codes.ts';
import { needsLogin } from '#shared/transfer/needs-login.ts';
import { countUnsettled, type QueueStatus } from '#shared/transfer/queue-status.ts';
import type { Transfer, TransferState } from '#shared/transfer/transfer.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatCount, formatPlural } from '../format/format-number.ts';
import { formatTimeLeft } from '../format/format-time.ts';
import { startLow } from '../format/start-low.ts';
import { describeProblem } from './problem-words.ts';
import { nameResumeTime, tellResumeTime } from './transfer-words.ts';

type Waiting = NonNullable<Transfer['waiting']>;
type WaitingFile = Pick<Transfer, 'transferId' | 'state' | 'waiting' | 'downloadId'>;
type Counted = Pick<QueueStatus, 'counts' | 'leftBytes' | 'unknownCount'>;

/** What the queue has to do, and what a person has: `4 transfers to do · 120 MB left · 2 paused · 1 failed`. */
export function describeToDo({ counts, leftBytes }: Counted, spoiltCount = counts.failed): string {
  const count = countUnsettled(counts);
  const parts = [
    count > 0 ? `${formatPlural(count, 'transfer')} to do` : '',
    leftBytes > 0 ? `${formatBytes(leftBytes)} left` : '',
    counts.paused > 0 ? `${formatCount(counts.paused)} paused` : '',
    counts.failed > 0 ? `${formatCount(counts.failed)} failed` : '',
    spoiltCount > counts.failed ? `${formatCount(spoiltCount - counts.failed)} missing or changed` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Nothing to do' : parts.join(' · ');
}

/** How much is to come of how many files; what is paused comes only when a person goes on with it. */
export function describeToCome({ counts, leftBytes, unknownCount }: Counted): {
  value: string;
  note: string;
} {
  const count = countUnsettled(counts);
  const unknown = unknownCount > 0 ? `, ${formatCount(unknownCount)} of unknown size` : '';
  const paused = counts.paused > 0 ? `${formatCount(counts.paused)} paused` : '';
  return {
    value: leftBytes > 0 ? formatBytes(leftBytes) : unknownCount > 0 ? 'Unknown' : 'Nothing',
    note: count === 0 && paused !== '' ? paused : `${formatPlural(count, 'file')}${unknown}`,
  };
}

/** How long it takes: of files of unknown size as much as is known, and nothing where there are only these. */
export function describeTimeLeft({
  secondsLeft,
  unknownCount,
}: Pick<QueueStatus, 'secondsLeft' | 'unknownCount'>): string | null {
  const words = secondsLeft === null ? null : formatTimeLeft(secondsLeft);
  if (words === null || unknownCount === 0) return words && `about ${words} left`;
  return secondsLeft === 0 ? null : `more than ${words} left`;
}

/** What a menu is about where it is more than a line; `isPart`: of an order, without those that a filter hides. */
export function describeSubject(count: number, { isPart }: { isPart: boolean }): string | null {
  if (isPart) return `${formatPlural(count, 'file')}: those shown here`;
  return count > 1 ? formatPlural(count, 'file') : null;
}

/** What becomes of transfers of these states that are taken off the list. */
export function describeTakenOff(states: readonly TransferState[]): string {
  if (states.every((state) => state === 'done'))
    return 'Files stay where they are, and the history has them.';
  return states.includes('done')
    ? 'Files that are done stay where they are; part files of the others are deleted.'
    : 'Part files are deleted.';
}

/**
 * How many files come at once, of how many places; files of silent servers take none. What runs when the limit is lowered
 * runs on, so that there may be more for a while.
 */
export function describeAtOnce({
  count,
  quietCount,
  most,
}: Record<'count' | 'quietCount' | 'most', number>): string {
  const silent = quietCount > 0 ? ` · ${formatCount(quietCount)} silent` : '';
  const places = count > most ? `, then ${formatCount(most)}` : ` of ${formatCount(most)}`;
  return `${formatCount(count)}${places}${silent}`;
}

/** Files that wait for a place of theirs, in words. */
export interface PlaceWords {
  title: string;
  hint: string;
  transferIds: readonly number[];
}

/** What a full disk keeps from coming, and where; null where there is room. */
export function describeFullDisks(
  transfers: readonly WaitingFile[],
  folderOf: (downloadId: number) => string | undefined,
): PlaceWords | null {
  const { waiting, folders, whoWaits } = gatherWaiting('transfer.disk-full', transfers, folderOf);
  if (waiting.length === 0) return null;
  return {
    title: `${whoWaits} for space`,
    hint: `${describeRoom(waiting, folders)}, and they go on by themselves within half a minute; or choose another folder for them.`,
    transferIds: waiting.map(({ transferId }) => transferId),
  };
}

/** What waits for a folder that is not there, and for which; null where all are. */
export function describeMissingFolders(
  transfers: readonly WaitingFile[],
  folderOf: (downloadId: number) => string | undefined,
): PlaceWords | null {
  const { waiting, folders, whoWaits } = gatherWaiting('transfer.destination-missing', transfers, folderOf);
  if (waiting.length === 0) return null;
  const [pronoun, goOn] =
    folders.length === 1 ? ['It is', 'its disk or share'] : ['They are', 'their disks or shares'];
  return {
    title: `${whoWaits} for ${folders.join(', ') || 'a folder'}`,
    hint: `${pronoun} not there. Connect ${goOn} again, and what waits goes on where it was; or choose another folder for it.`,
    transferIds: waiting.map(({ transferId }) => transferId),
  };
}

/** What waits for a person to log in, at which catalogs, and where the login can be renewed; null where nothing does. */
export function describeMissingLogins(
  transfers: readonly WaitingFile[],
  catalogOf: (downloadId: number) => { id: string; name: string } | undefined,
): { title: string; hint: string; connectionId: string | null } | null {
  const waiting = transfers.filter(({ waiting: wait }) => wait !== null && needsCatalogLogin(wait.error));
  if (waiting.length === 0) return null;
  const names = new Map(
    waiting.flatMap(({ downloadId }) => {
      const catalog = catalogOf(downloadId);
      return catalog ? [[catalog.id, catalog.name] as const] : [];
    }),
  );
  const words = waiting[0]?.waiting && describeProblem(waiting[0].waiting.error);
  const where = names.size === 0 ? '' : ` to ${[...names.values()].join(', ')}`;
  return {
    title: `${tellWhoWaits(waiting)} for you to sign in${where}`,
    hint: names.size === 1 && words ? `${words.what}. ${words.next}` : 'Renew each login in Settings.',
    connectionId: [...names.keys()][0] ?? null,
  };
}

function needsCatalogLogin(error: Waiting['error']): boolean {
  return error.code.startsWith('auth.') && needsLogin(error);
}

function tellWhoWaits(waiting: readonly unknown[]): string {
  return `${formatPlural(waiting.length, 'file')} ${waiting.length === 1 ? 'waits' : 'wait'}`;
}

function gatherWaiting(
  code: ErrorCode,
  transfers: readonly WaitingFile[],
  folderOf: (downloadId: number) => string | undefined,
): { waiting: readonly WaitingFile[]; folders: readonly string[]; whoWaits: string } {
  const waiting = transfers.filter((one) => one.state === 'waiting' && one.waiting?.error.code === code);
  const folders = [...new Set(waiting.flatMap(({ downloadId }) => folderOf(downloadId) ?? []))];
  return { waiting, folders, whoWaits: tellWhoWaits(waiting) };
}

// A disk may have some room, and too little for any of them. Several may have as many disks: none speaks for the others.
function describeRoom(waiting: readonly Pick<Transfer, 'waiting'>[], folders: readonly string[]): string {
  const shortages = waiting.flatMap(({ waiting: wait }) => {
    const { freeBytes, missingBytes, reserveBytes } = wait?.error.details ?? {};
    const isKnown =
      typeof freeBytes === 'number' && typeof missingBytes === 'number' && typeof reserveBytes === 'number';
    return isKnown ? [{ freeBytes, missingBytes, reserveBytes }] : [];
  });
  const least = shortages.toSorted((a, b) => a.missingBytes - b.missingBytes)[0];
  const disk = `The disk of ${folders.join(', ')}`;
  if (least === undefined || folders.length > 1) return `${disk} is full. Free some space`;
  const free = formatBytes(least.freeBytes);
  const reserve = formatBytes(least.reserveBytes);
  return `${disk} has ${free} free, and ${reserve} always stay free for other programs. Free ${formatBytes(least.missingBytes)} or more`;
}

/** When the first of those that wait goes on; where none goes on by itself, what the first waits for. */
export function describeNextStart(waits: readonly Waiting[]): string {
  const times = waits.flatMap((one) => (tellResumeTime(one) === null ? [] : [one]));
  const first = times.toSorted((a, b) => (a.resumeAt ?? '').localeCompare(b.resumeAt ?? ''))[0];
  if (first) return `${startLow(nameResumeTime(first, null))} ${tellResumeTime(first) ?? ''}`;
  const words = waits[0] ? describeProblem(waits[0].error).waits : '';
  return words === '' ? 'nothing flows' : startLow(words);
}
