import type { NextStep } from '#shared/transfer/next-step.ts';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import { sayBytes, sayCount } from './words.ts';

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
  const { verified, unverified, lost, failed, waiting, cancelledCount } = report;
  const isOfAll = report.downloadId === null;
  const section = <Line extends ReportLine>(
    title: string,
    lines: readonly Line[],
    describe: (line: Line) => string,
  ): string[] => describeSection({ title, lines, isOfAll, describe });
  return [
    ...(report.title === null ? [] : [`${report.title}, to ${report.destination ?? ''}`]),
    `done and verified: ${sayCount(verified.count, 'file')}, ${sayBytes(verified.bytes)}`,
    ...section('done, not verifiable', unverified, ({ why }) => unverifiedWords[why]),
    ...section('done, but not as it was', lost, ({ finding }) =>
      finding === 'missing' ? 'the file is not there any more' : 'the file was changed since',
    ),
    ...section('failed', failed, ({ error, nextStep }) => `${error.message}; ${nextStepWords[nextStep]}`),
    ...section('still to come', waiting, describeWaiting),
    ...(cancelledCount > 0 ? [`cancelled: ${sayCount(cancelledCount, 'file')}`] : []),
  ];
}

/** What a transfer that is not at its end waits for, and until when. */
export function describeWaiting({
  state,
  error,
  resumeAt,
}: Pick<TransferReport['waiting'][number], 'state' | 'error' | 'resumeAt'>): string {
  const until = resumeAt === null ? '' : `; goes on at ${resumeAt}`;
  return error === null ? state : `waits: ${error.message}${until}`;
}

type ReportLine = Pick<TransferReport['lost'][number], 'orderTitle' | 'itemId' | 'assetKey'>;

function describeSection<Line extends ReportLine>(section: {
  title: string;
  lines: readonly Line[];
  isOfAll: boolean;
  describe: (line: Line) => string;
}): string[] {
  const { title, lines, isOfAll, describe } = section;
  if (lines.length === 0) return [];
  const nameOf = ({ orderTitle, itemId, assetKey }: Line) =>
    [itemId, assetKey, ...(isOfAll ? [`(${orderTitle})`] : [])].map(toText).join(' ');
  return [
    `${title}: ${sayCount(lines.length, 'file')}`,
    ...lines.map((line) => `  ${nameOf(line)}: ${describe(line)}`),
  ];
}

// Ids come from a catalog; one of several lines would look like more than one.
function toText(id: string): string {
  return id.replace(/\s/g, ' ');
}
