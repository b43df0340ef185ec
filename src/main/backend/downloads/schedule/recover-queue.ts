import { AppError } from '#shared/errors/app-error.ts';
import type { TransferEvent } from '#shared/transfer/next-state.ts';
import type { RowChanges, TransferRow } from '../queue/transfer-row.ts';
import type { TransferStore } from '../queue/transfer-store.ts';

const mostDeaths = 3;
const minuteMs = 60_000;
/** How long a server that names no time is waited for, and the longest that one is that does. */
const usualWaitMs = 5 * minuteMs;
const longestWaitMs = 60 * minuteMs;

/** A row that runs when the process dies is a suspect; one at a time may run then, so that the others are cleared. */
export function isSuspect({ deaths }: Pick<TransferRow, 'deaths'>): boolean {
  return deaths >= mostDeaths - 1;
}

/**
 * Puts back what the last process left: nothing stays in a state that nobody is in charge of. What it died of three
 * times is set aside; of a name that was still being given when it was closed, it did not die.
 */
export function recoverQueue(
  store: Pick<TransferStore, 'rowsIn' | 'together'>,
  options: {
    nowMs: number;
    wasClosed: boolean;
    decide: (row: TransferRow, event: TransferEvent, changes?: RowChanges) => void;
  },
): void {
  const { nowMs, wasClosed, decide } = options;
  store.together(() => {
    for (const row of store.rowsIn('preparing', 'downloading', 'verifying', 'finalizing')) {
      // Of those that only wait for their names many are at it at once, and none of them is what it died of.
      const deaths = row.deaths + (wasClosed || row.state === 'finalizing' ? 0 : 1);
      if (deaths < mostDeaths) decide(row, 'interrupt', { deaths });
      else decide(row, 'fail', { deaths: 0, error: crashed().toData(), resumeAtMs: null });
    }
    for (const row of store.rowsIn('waiting')) {
      // The network and the disk may be other ones by now; a server's wish still stands, unless the clock was put.
      const isLong = (row.resumeAtMs ?? Infinity) > nowMs + wishOf(row) + minuteMs;
      if (row.error?.code !== 'http.too-many-requests' || isLong) decide(row, 'wake', { resumeAtMs: null });
    }
  });
}

function wishOf({ error }: TransferRow): number {
  const wishMs = error?.details['retryAfterMs'];
  return typeof wishMs === 'number' ? Math.min(wishMs, longestWaitMs) : usualWaitMs;
}

function crashed(): AppError {
  return new AppError('transfer.crashed', 'The program ended three times while this ran', {
    retryable: true,
  });
}
