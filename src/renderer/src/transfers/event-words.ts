import type { TransferDetails } from '#shared/transfer/transfer-details.ts';
import type { TransferState } from '#shared/transfer/transfer.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { describeProblem } from './problem-words.ts';

type TransferHappening = TransferDetails['events'][number];

const stateWords: Record<TransferState, string> = {
  queued: 'Queued',
  preparing: 'Began',
  downloading: 'Bytes came',
  verifying: 'All bytes came; verifying',
  finalizing: 'Verified; given its name',
  waiting: 'Waited',
  paused: 'Paused by you',
  failed: 'Failed',
  cancelled: 'Cancelled by you',
  done: 'Done',
};

const findingWords: Record<NonNullable<TransferHappening['finding']>, string> = {
  missing: 'Looked at again: the file is not there',
  changed: 'Looked at again: the file is not as it came',
  ok: 'Looked at again: the file is as it came',
};

/** Something that happened to a transfer: `Waited: the disk is full, at 61.4 MB`. */
export function describeHappening({ state, error, durableBytes, finding }: TransferHappening): string {
  if (finding !== null) return findingWords[finding];
  const words = stateWords[state];
  const isAtPlace = durableBytes > 0 && (state === 'preparing' || state === 'paused' || state === 'waiting');
  const place = isAtPlace ? `, at ${formatBytes(durableBytes)}` : '';
  if (error && state === 'verifying') return `Found wrong: ${describeProblem(error).what}`;
  if (!error || (state !== 'waiting' && state !== 'failed')) return `${words}${place}`;
  return `${words}: ${describeProblem(error).what}${place}`;
}

/** The name of a checksum's kind by its multihash, or of a bare MD5; null when it is of another kind. */
export function nameChecksum(checksum: string): string | null {
  const text = checksum.trim().toLowerCase();
  const kind = checksumKinds.find(([prefix]) => text.startsWith(prefix));
  if (kind) return kind[1];
  return /^[0-9a-f]{32}$/.test(text) ? 'MD5' : null;
}

/** A SHA-256 multihash in hex as other tools print it. */
export function plainDigest(multihash: string): string {
  return multihash.replace(/^1220(?=[0-9a-f]{64}$)/i, '');
}

// The first bytes of a multihash: kind, and for the usual lengths the length. A shortened digest has the kind alone.
const checksumKinds: readonly (readonly [prefix: string, name: string])[] = [
  ['1220', 'SHA-256'],
  ['1340', 'SHA-512'],
  ['1114', 'SHA-1'],
  ['d50110', 'MD5'],
  ['c0e402', 'BLAKE2b-512'],
  ['a0e402', 'BLAKE2b-256'],
  ['90e402', 'BLAKE2b-128'],
  ['e0e402', 'BLAKE2s-256'],
  ['12', 'SHA-256, shortened'],
  ['13', 'SHA-512, shortened'],
  ['14', 'SHA3-512'],
  ['15', 'SHA3-384'],
  ['16', 'SHA3-256'],
  ['17', 'SHA3-224'],
  ['20', 'SHA-384'],
];
