import type { NextStep } from '#shared/transfer/next-step.ts';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import { sayBytes, sayCount, sayProblem } from './words.ts';

/** What is proposed after a failure. */
export const nextStepWords: Record<NextStep, string> = {
  retry: 'try again: swath queue retry',
  'sign-in': 'give a valid token in SWATH_TOKEN, then swath queue retry',
  'free-space': 'free space on the disk, then swath queue retry',
  'choose-folder': 'make the folder usable, or order into another one',
  'check-disk': 'check the disk, then swath queue retry',
  'check-network': 'check the network, then swath queue retry',
  'ask-provider': 'ask the provider of the data',
  'report-bug': 'report this as a fault of Swath, with its log',
};

/** Why a file that is done could not be verified. */
export const unverifiedWords: Record<TransferReport['unverified'][number]['why'], string> = {
  'no-checksum': 'the catalog gives a size and no checksum: the size was compared',
  'no-checksum-no-size': 'the catalog gives neither size nor checksum: there was nothing to compare',
  'checksum-malformed': 'what the catalog gives as a checksum is none: the size was compared',
  'checksum-unusable': "the catalog's checksum is of a kind that can't be computed: the size was compared",
};

/** What became of an order, in lines for a person. */
export function describeReport(report: TransferReport): string[] {
  const { downloadId, verified, unverified, lost, failed, waiting, cancelledCount } = report;
  const isOfAll = downloadId === null;
  const say = (line: Named, words: string) => `  ${nameFile(line, isOfAll)}: ${words}`;
  return [
    ...(report.title === null ? [] : [`${report.title}, to ${report.destination ?? ''}`]),
    `done and verified: ${sayCount(verified.count, 'file')}, ${sayBytes(verified.bytes)}`,
    ...section(
      'done, not verifiable',
      unverified.map((line) => say(line, unverifiedWords[line.why])),
    ),
    ...section(
      'done, but not as it was',
      lost.map((line) => say(line, lostWords[line.finding])),
    ),
    ...section(
      'failed',
      failed.map((line) => say(line, `${line.error.message}; ${nextStepWords[line.nextStep]}`)),
    ),
    ...section(
      'still to come',
      waiting.map((line) => say(line, describeWaiting(line))),
    ),
    ...(cancelledCount > 0 ? [`cancelled: ${sayCount(cancelledCount, 'file')}`] : []),
  ];
}

/** What is wrong with a file that was done. */
export const lostWords = {
  missing: 'the file is not there any more',
  changed: 'the file was changed since',
};

/** What a transfer that is not at its end waits for, and until when. */
export function describeWaiting({
  state,
  error,
  resumeAt,
}: Pick<TransferReport['waiting'][number], 'state' | 'error' | 'resumeAt'>): string {
  const until = resumeAt === null ? '' : `; goes on at ${resumeAt}`;
  return error === null ? state : `waits: ${sayProblem(error)}${until}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}: ${sayCount(lines.length, 'file')}`, ...lines];
}

type Named = Pick<TransferReport['lost'][number], 'orderTitle' | 'itemId' | 'assetKey'>;

// Files of several orders may have one name.
function nameFile({ orderTitle, itemId, assetKey }: Named, isOfAll: boolean): string {
  return [itemId, assetKey, ...(isOfAll ? [`(${orderTitle})`] : [])].map(toText).join(' ');
}

// Ids come from a catalog; one of several lines would look like more than one.
function toText(id: string): string {
  return id.replace(/\s/g, ' ');
}
