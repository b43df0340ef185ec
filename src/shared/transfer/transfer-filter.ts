import { z } from 'zod';
import { transferStates, type Transfer } from './transfer.ts';

/** The most transfers that are named one by one. */
export const maxNamedTransfers = 20_000;

/** Which transfers are meant: those that fit everything that is said. Nothing said means all. */
export const transferFilterSchema = z.object({
  transferIds: z.array(z.number().int()).min(1).max(maxNamedTransfers).optional(),
  /** Those of one order. */
  downloadId: z.number().int().optional(),
  states: z.array(z.enum(transferStates)).min(1).optional(),
});

/** Which transfers are meant. */
export type TransferFilter = z.infer<typeof transferFilterSchema>;

/** Whether a transfer is one of those meant. */
export function fitsFilter(
  { transferId, downloadId, state }: Pick<Transfer, 'transferId' | 'downloadId' | 'state'>,
  filter: TransferFilter,
): boolean {
  if (filter.transferIds && !filter.transferIds.includes(transferId)) return false;
  if (filter.downloadId !== undefined && filter.downloadId !== downloadId) return false;
  return filter.states?.includes(state) ?? true;
}

/** Where transfers are moved to in the queue: its ends, or beside another, whose priority they take. */
export const transferPlaceSchema = z.union([
  z.enum(['top', 'bottom']),
  z.object({ before: z.number().int() }),
  z.object({ after: z.number().int() }),
]);

/** Where transfers are moved to in the queue. */
export type TransferPlace = z.infer<typeof transferPlaceSchema>;
