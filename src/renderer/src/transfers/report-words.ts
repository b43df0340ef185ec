import type { NextStep } from '#shared/transfer/next-step.ts';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import type { Transfer, TransferState } from '#shared/transfer/transfer.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatCount, formatPlural } from '../format/format-number.ts';
import { formatLongUtc } from '../format/format-time.ts';
import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import { describePause, sayWhatFollows, type StopWords } from './hold-words.ts';
import { describeProblem } from './problem-words.ts';
import { nameResumeTime, tellResumeTime } from './transfer-words.ts';

/** A file of a report. */
export interface ReportFile {
  name: string;
  itemId: string;
  collectionId: string;
  /** Of its order, in a report of all; else null. */
  orderTitle: string | null;
  /** What is to be said of it alone: where it is, or what is left of it. */
  note: string | null;
}

/** What became of one file or many, said once. */
export interface ReportFate {
  what: string;
  next: string;
  files: readonly ReportFile[];
}

/** Files of a report that ended, or wait, alike; what most have in common comes first. */
export interface ReportGroup {
  key: 'failed' | 'lost' | 'waiting' | 'unverified';
  title: string;
  fates: readonly ReportFate[];
}

/** What is proposed after a failure, on a button or in a line. */
export const nextStepWords: Record<NextStep, string> = {
  retry: 'Try again',
  'sign-in': 'Sign in again in Settings, then try again',
  'free-space': 'Free space; it goes on by itself',
  'choose-folder': 'Make the folder usable, or order into another one',
  'check-disk': 'Check the disk, then try again',
  'check-network': 'Check the network, then try again',
  'ask-provider': 'Ask the provider of the data',
  'report-bug': 'Report this as a fault of Swath, with its log',
};

const unverifiedWords: Record<TransferReport['unverified'][number]['why'], string> = {
  'no-checksum': 'The catalog gives a size and no checksum: the size was compared',
  'no-checksum-no-size': 'The catalog gives neither size nor checksum: there was nothing to compare',
  'checksum-malformed':
    'What the catalog gives as a checksum is none, which its provider should know: the size was compared',
  'checksum-unusable': 'The catalog’s checksum is of a kind that can’t be computed: the size was compared',
};

const waitingWords: Partial<Record<TransferState, Words>> = {
  preparing: { what: 'Begins now', next: '' },
  downloading: { what: 'It is fetched now', next: '' },
  verifying: { what: 'All bytes came; they are verified now', next: '' },
  finalizing: { what: 'Verified; it gets its name now', next: '' },
  paused: { what: 'Paused by you', next: 'Resume it to go on.' },
};

const lostWords = { missing: 'Not where it was put any more', changed: 'Not as it came any more' };

/** What became of it all in a sentence. */
export function describeReport(report: TransferReport): string {
  const { verified, unverified, failed, lost, waiting, cancelledCount } = report;
  const parts = [
    verified.count > 0 ? `${formatPlural(verified.count, 'file')} done and verified` : null,
    unverified.length > 0 ? `${formatPlural(unverified.length, 'file')} done, not verifiable` : null,
    lost.length > 0 ? `${formatPlural(lost.length, 'file')} missing or changed since` : null,
    failed.length > 0 ? `${formatPlural(failed.length, 'file')} failed` : null,
    waiting.length > 0 ? `${formatPlural(waiting.length, 'file')} still to come` : null,
    cancelledCount > 0 ? `${formatPlural(cancelledCount, 'file')} cancelled` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'Nothing was ordered.' : `${parts.join(', ')}.`;
}

/** What keeps files from their turn: all of them, or those of servers that have asked for a pause. */
export interface Holding {
  stop: StopWords | null;
  pauses: QueueStatus['pauses'];
}

const nothingHolds: Holding = { stop: null, pauses: [] };

/** The files that a person has to know of, what needs them first. */
export function groupReport(report: TransferReport, holding: Holding = nothingHolds): ReportGroup[] {
  const isOfAll = report.downloadId === null;
  const groups: ReportGroup[] = [
    {
      key: 'failed',
      title: `Failed · ${formatCount(report.failed.length)}`,
      fates: gatherAlike(report.failed, isOfAll, ({ error, nextStep }) => {
        const { keptAs, ...details } = error.details;
        const { what, next } = describeProblem({ ...error, details });
        return {
          what,
          next: next || `${nextStepWords[nextStep]}.`,
          note: typeof keptAs === 'string' ? `What came is kept as ${keptAs}` : null,
        };
      }),
    },
    {
      key: 'lost',
      title: `Missing or changed since · ${formatCount(report.lost.length)}`,
      fates: gatherAlike(report.lost, isOfAll, ({ finding }) => ({
        what: lostWords[finding],
        next:
          finding === 'changed'
            ? 'Try again fetches it anew under another name; what is there stays.'
            : 'Try again fetches it anew.',
      })),
    },
    {
      key: 'waiting',
      title: `Still to come · ${formatCount(report.waiting.length)}`,
      fates: gatherAlike(report.waiting, isOfAll, (line) => describeWaiting(line, holding)),
    },
    {
      key: 'unverified',
      title: `Done, not verifiable · ${formatCount(report.unverified.length)}`,
      fates: gatherAlike(report.unverified, isOfAll, ({ why, filePath }) => ({
        what: unverifiedWords[why],
        next: '',
        note: filePath,
      })),
    },
  ];
  return groups.filter(({ fates }) => fates.length > 0);
}

type Words = Pick<ReportFate, 'what' | 'next'>;
type Named = Pick<TransferReport['lost'][number], 'orderTitle' | 'assetKey' | 'itemId' | 'collectionId'>;

// One server that is away may be what a thousand files have to say.
function gatherAlike<Line extends Named>(
  lines: readonly Line[],
  isOfAll: boolean,
  describe: (line: Line) => Words & { note?: string | null },
): ReportFate[] {
  const fates = new Map<string, ReportFate & { files: ReportFile[] }>();
  for (const line of lines) {
    const { what, next, note = null } = describe(line);
    const { assetKey, itemId, collectionId, orderTitle } = line;
    const key = JSON.stringify([what, next]);
    const fate = fates.get(key) ?? { what, next, files: [] };
    const ofOrder = isOfAll ? orderTitle : null;
    fate.files.push({ name: assetKey, itemId, collectionId, orderTitle: ofOrder, note });
    fates.set(key, fate);
  }
  return [...fates.values()].sort((a, b) => b.files.length - a.files.length);
}

type WaitingLine = TransferReport['waiting'][number];

function describeWaiting(
  { state, error, resumeAt, ...file }: WaitingLine,
  { stop, pauses }: Holding,
): Words & { note?: string | null } {
  const known = waitingWords[state];
  if (known) return known;
  if (error === null) {
    const why = stop ?? describePause({ pauses }, file);
    return { what: why?.what ?? 'Waits for its turn', next: why?.next ?? '' };
  }
  const { what, next } = describeProblem(error);
  const time = tellResumeTime({ error, resumeAt });
  return {
    what,
    next: sayWhatFollows({ what, next }, stop),
    // Beside each file: what is alike stays one.
    note: time === null ? null : `${nameResumeTime({ error }, stop)} ${time}`,
  };
}

type Brought = Pick<Transfer, 'collectionId' | 'itemId' | 'assetKey' | 'filePath' | 'receivedBytes'>;

/** The report as plain text, to be kept or sent, with the files that are verified and there. */
export function writeReport(
  report: TransferReport,
  holding: Holding = nothingHolds,
  verified: readonly Brought[] = [],
): string {
  const head = [
    report.title === null ? 'Downloads' : `Download: ${report.title}`,
    ...(report.destination === null ? [] : [`Folder: ${report.destination}`]),
    `As of: ${formatLongUtc(report.at) ?? report.at}`,
    '',
    describeReport(report),
    ...(report.isSettled ? [] : [describeRest(holding.stop)]),
    `Verified: ${formatPlural(report.verified.count, 'file')}, ${formatBytes(report.verified.bytes)}`,
  ];
  const groups = groupReport(report, holding).flatMap(({ title, fates }) => [
    '',
    title,
    ...fates.flatMap(({ what, next, files }) => [
      `${what}${next === '' ? '' : `. ${next}`}`,
      ...files.map(({ name, itemId, collectionId, orderTitle, note }) => {
        const order = orderTitle === null ? '' : ` (${orderTitle})`;
        return `  - ${collectionId}, ${itemId}, ${name}${order}${note === null ? '' : `: ${note}`}`;
      }),
    ]),
  ]);
  return [...head, ...groups, ...listVerified(verified), ''].join('\n');
}

function listVerified(files: readonly Brought[]): string[] {
  if (files.length === 0) return [];
  return [
    '',
    'Done and verified',
    'Size and checksum as announced; the receipt.json beside each file has them.',
    ...files.map(
      ({ collectionId, itemId, assetKey, filePath, receivedBytes }) =>
        `  - ${collectionId}, ${itemId}, ${assetKey}: ${filePath ?? ''} (${formatBytes(receivedBytes)})`,
    ),
  ];
}

/** What comes of a report that is not at its end. */
function describeRest(stop: StopWords | null): string {
  return stop
    ? `It is not at its end. ${stop.what}. ${stop.next}`
    : 'It is not at its end: more happens by itself.';
}
