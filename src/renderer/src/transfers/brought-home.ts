import type { Transfer } from '#shared/transfer/transfer.ts';
import { formatBytes } from '../format/format-bytes.ts';
import { describeDoneCount } from './order-words.ts';

/** How much was brought home and is there as it came, and what became of the rest: `1.20 GB`, `38 verified`. */
export function describeBroughtHome(transfers: readonly Transfer[]): { value: string; note: string } {
  const done = transfers.filter(({ state }) => state === 'done');
  const home = done.filter(({ finding }) => finding === null);
  const note = describeDoneCount({
    counts: { done: home.length },
    verifiedCount: home.filter(({ verification }) => verification === 'checksum').length,
    lostCount: done.length - home.length,
  });
  return {
    value:
      home.length === 0
        ? 'Nothing'
        : formatBytes(home.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0)),
    // What was cleared away is at home all the same.
    note: note || 'on this list',
  };
}
