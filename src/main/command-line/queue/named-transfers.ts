import { AppError } from '#shared/errors/app-error.ts';
import { fitsFilter, type TransferFilter } from '#shared/transfer/transfer-filter.ts';
import type { Transfer, TransferState } from '#shared/transfer/transfer.ts';
import type { OpenedQueue } from './open-queue.ts';
import { readQueue } from './read-queue.ts';

/** What a change passes over of the transfers that are named for it. */
export interface PassedOver {
  /** Numbers that no transfer has. */
  unknown: number[];
  /** Those whose state the change means nothing to. */
  unchanged: { transferId: number; state: TransferState }[];
}

/**
 * Looks what a change will pass over, before it is made; null where nothing is named, or where an earlier try may have
 * made it already.
 * @throws AppError `transfer.not-found` where none of the numbers is a transfer's
 */
export async function findPassedOver(
  { queue, isAgain }: OpenedQueue,
  { filter, appliesTo }: { filter: TransferFilter; appliesTo: (transfer: Transfer) => boolean },
  context: { signal: AbortSignal },
): Promise<PassedOver | null> {
  if (filter.transferIds === undefined || isAgain) return null;
  const { transfers } = await readQueue(queue, context);
  const meant = transfers.filter((one) => fitsFilter(one, filter));
  const known = new Set(meant.map(({ transferId }) => transferId));
  const unknown = [...new Set(filter.transferIds)].filter((transferId) => !known.has(transferId));
  if (meant.length === 0) {
    throw new AppError('transfer.not-found', sayUnknown(unknown, filter), {
      details: { transferId: unknown[0] ?? null },
    });
  }
  const unchanged = meant.filter((one) => !appliesTo(one));
  return { unknown, unchanged: unchanged.map(({ transferId, state }) => ({ transferId, state })) };
}

/** What was passed over, in lines for a person. */
export function describePassedOver({ unknown, unchanged }: PassedOver, filter: TransferFilter): string[] {
  const lines: string[] = [];
  if (unchanged.length > 0) {
    const those = unchanged.map(({ transferId, state }) => `${transferId} is ${state}`).join(', ');
    lines.push(`left as ${unchanged.length === 1 ? 'it is' : 'they are'}: ${those}`);
  }
  if (unknown.length > 0) lines.push(sayUnknown(unknown, filter));
  return lines;
}

function sayUnknown(unknown: readonly number[], { downloadId }: TransferFilter): string {
  const which = unknown.length === 1 ? 'is no transfer' : 'are no transfers';
  return `There ${which} ${unknown.join(', ')}${downloadId === undefined ? '' : ` in order ${downloadId}`}`;
}
