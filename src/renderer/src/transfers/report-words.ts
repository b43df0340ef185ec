import type { NextStep } from '#shared/transfer/next-step.ts';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import type { TransferState } from '#shared/transfer/transfer.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatCount, formatPlural } from '../format/format-number.ts';
import { formatLongUtc } from '../format/format-time.ts';
import type { StopWords } from './hold-words.ts';
import { describeProblem } from './problem-words.ts';
import { tellResumeTime } from './transfer-words.ts';

/** A file of a report and what is to be said of it. */
export interface ReportLine {
  name: string;
  itemId: string;
  /** Of its order, in a report of all; else null. */
  orderTitle: string | null;
  what: string;
  next: string;
}

/** Files of a report with the same fate. */
export interface ReportGroup {
  key: 'failed' | 'lost' | 'waiting' | 'unverified';
  title: string;
  lines: readonly ReportLine[];
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

const waitingWords: Partial<Record<TransferState, Pick<ReportLine, 'what' | 'next'>>> = {
  preparing: { what: 'Begins now', next: '' },
  downloading: { what: 'Its bytes come now', next: '' },
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

/** The files that a person has to know of one by one, what needs them first; `stop` keeps the whole queue from running. */
export function groupReport(report: TransferReport, stop: StopWords | null = null): ReportGroup[] {
  const lineOf = (line: Named) => toLine(line, report.downloadId === null);
  const groups: ReportGroup[] = [
    {
      key: 'failed',
      title: `Failed · ${formatCount(report.failed.length)}`,
      lines: report.failed.map((line) => {
        const { what, next } = describeProblem(line.error);
        return { ...lineOf(line), what, next: next || `${nextStepWords[line.nextStep]}.` };
      }),
    },
    {
      key: 'lost',
      title: `Missing or changed since · ${formatCount(report.lost.length)}`,
      lines: report.lost.map((line) => ({
        ...lineOf(line),
        what: lostWords[line.finding],
        next: 'Try again fetches it anew',
      })),
    },
    {
      key: 'waiting',
      title: `Still to come · ${formatCount(report.waiting.length)}`,
      lines: report.waiting.map((line) => ({ ...lineOf(line), ...describeWaiting(line, stop) })),
    },
    {
      key: 'unverified',
      title: `Done, not verifiable · ${formatCount(report.unverified.length)}`,
      lines: report.unverified.map((line) => ({
        ...lineOf(line),
        what: unverifiedWords[line.why],
        next: line.filePath ?? '',
      })),
    },
  ];
  return groups.filter(({ lines }) => lines.length > 0);
}

type WaitingLine = TransferReport['waiting'][number];

function describeWaiting(
  { state, error, resumeAt }: WaitingLine,
  stop: StopWords | null,
): Pick<ReportLine, 'what' | 'next'> {
  const known = waitingWords[state];
  if (known) return known;
  if (error === null) return { what: stop?.what ?? 'Waits for its turn', next: stop?.next ?? '' };
  const { what, next } = describeProblem(error);
  const time = tellResumeTime({ error, resumeAt });
  return {
    what,
    next: join(
      stop?.isByPerson ? `${stop.what}. ${stop.next}` : next,
      time === null ? '' : `${stop ? 'Not before' : 'Goes on at'} ${time}.`,
    ),
  };
}

/** The report as plain text, to be kept or sent; `stop` keeps the whole queue from running. */
export function writeReport(report: TransferReport, stop: StopWords | null = null): string {
  const head = [
    report.title === null ? 'Downloads' : `Download: ${report.title}`,
    ...(report.destination === null ? [] : [`Folder: ${report.destination}`]),
    `As of: ${formatLongUtc(report.at) ?? report.at}`,
    '',
    describeReport(report),
    ...(report.isSettled ? [] : [describeRest(stop)]),
    `Verified: ${formatPlural(report.verified.count, 'file')}, ${formatBytes(report.verified.bytes)}`,
  ];
  const groups = groupReport(report, stop).flatMap(({ title, lines }) => [
    '',
    title,
    ...lines.flatMap(({ name, itemId, orderTitle, what, next }) => [
      `- ${itemId}, ${name}${orderTitle === null ? '' : ` (${orderTitle})`}`,
      `  ${what}${next === '' ? '' : `. ${next}`}`,
    ]),
  ]);
  return [...head, ...groups, ''].join('\n');
}

/** What comes of a report that is not at its end. */
function describeRest(stop: StopWords | null): string {
  return stop
    ? `It is not at its end. ${stop.what}. ${stop.next}`
    : 'It is not at its end: more happens by itself.';
}

type Named = Pick<TransferReport['lost'][number], 'orderTitle' | 'assetKey' | 'itemId'>;

function toLine(
  { assetKey, itemId, orderTitle }: Named,
  isOfAll: boolean,
): Pick<ReportLine, 'name' | 'itemId' | 'orderTitle'> {
  return { name: assetKey, itemId, orderTitle: isOfAll ? orderTitle : null };
}

function join(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
