import type { DownloadOrderView } from '#shared/transfer/download-order.ts';
import type { TransferDetails } from '#shared/transfer/transfer-details.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { formatPlural } from '../format/format-number.ts';
import { formatDuration, formatLongUtc } from '../format/format-time.ts';
import { linkModeOptions } from '../format/link-mode-words.ts';
import { s3AccessOptions } from '../format/s3-access-words.ts';
import { nameChecksum, plainDigest } from './event-words.ts';
import { describeTransfer, linkKindWords, priorityWords } from './transfer-words.ts';

/** What a transfer is told of. */
export interface DetailSubject {
  transfer: Transfer;
  /** Null until they were read. */
  details: TransferDetails | null;
  order: DownloadOrderView | null;
  collectionTitle: string;
}

/** A name and what is to be said under it. */
export type Fact = readonly [name: string, value: string];

/** All that is known of a transfer, without what doesn’t apply. */
export function listFacts({ transfer, details, order, collectionTitle }: DetailSubject): Fact[] {
  const { state, priority } = transfer;
  const facts: (readonly [string, string | null])[] = [
    ['Collection', collectionTitle],
    ['Order', order?.title ?? null],
    ['Turn', state === 'done' ? null : priorityWords[priority]],
    ['Links', linkModeOptions.find(({ value }) => value === order?.links)?.label ?? null],
    ['AWS credentials', s3AccessOptions.find(({ value }) => value === order?.s3Access)?.label ?? null],
    ['Comes by', describeSource(transfer, details)],
    ...(details ? listKnown(transfer, details) : []),
  ];
  return facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]));
}

function listKnown(transfer: Transfer, details: TransferDetails): (readonly [string, string | null])[] {
  const { announcedBytes, announcedChecksum, attempts, restarts } = details;
  return [
    ['Announced size', announcedBytes === null ? 'none' : formatBytes(announcedBytes)],
    ['Announced checksum', describeChecksum(announcedChecksum)],
    ['Proved', transfer.state === 'done' && !transfer.finding ? describeTransfer(transfer).why : null],
    ['Tries for the last megabyte', attempts > 0 ? String(attempts) : null],
    ['Begun again', restarts > 0 ? formatPlural(restarts, 'time') : null],
    ['Started', formatLongUtc(details.startedAt)],
    ['Finished', formatLongUtc(details.finishedAt)],
    ['Took', describeTime(details)],
    ['Looked at again', formatLongUtc(details.checkedAt)],
  ];
}

/** A digest, and of what it is. */
export interface Digest {
  of: string;
  /** Hex, as other tools print it. */
  digest: string;
}

/** What the catalog announces, and what came: also of bytes that were not taken. */
export function listDigests({ error, finding }: Transfer, details: TransferDetails): Digest[] {
  const { announcedChecksum, digest } = details;
  const { algorithm, actual } = error?.details ?? {};
  const ofBytes = finding === 'changed' ? 'SHA-256 of the bytes as they came' : 'SHA-256 of the bytes';
  return [
    ...(announcedChecksum === null
      ? []
      : [{ of: 'As the catalog says', digest: plainDigest(announcedChecksum) }]),
    ...(digest === null ? [] : [{ of: ofBytes, digest: plainDigest(digest) }]),
    ...(typeof actual === 'string' && typeof algorithm === 'string'
      ? [{ of: `As the bytes came (${algorithm})`, digest: actual }]
      : []),
  ];
}

function describeChecksum(announced: string | null): string {
  if (announced === null) return 'none';
  return nameChecksum(announced) ?? 'of a kind that can’t be computed';
}

function describeSource({ linkKind }: Transfer, details: TransferDetails | null): string | null {
  if (linkKind === null) return null;
  const host = details?.sourceOrigin?.replace(/^https?:\/\//, '');
  return host ? `${linkKindWords[linkKind]} from ${host}` : linkKindWords[linkKind];
}

// How fast it came can't be told by that: it may have waited in between. What it lay failed or paused is a person's time.
function describeTime({ startedAt, finishedAt, events }: TransferDetails): string | null {
  if (startedAt === null || finishedAt === null) return null;
  const endMs = Date.parse(finishedAt);
  const lyingMs = events.map(({ at, state }, index) => {
    const isLying = state === 'failed' || state === 'paused';
    const nextMs = Math.min(Date.parse(events[index + 1]?.at ?? finishedAt), endMs);
    return isLying ? Math.max(0, nextMs - Date.parse(at)) : 0;
  });
  const seconds = (endMs - Date.parse(startedAt) - lyingMs.reduce((sum, one) => sum + one, 0)) / 1000;
  return seconds > 0 ? formatDuration(seconds) : null;
}
