import { AppError, toAppError } from '#shared/errors/app-error.ts';
import { isSettled, transferStates, type Transfer } from '#shared/transfer/transfer.ts';
import { damagedQueue, isDamageOfQueue } from '../file/queue-damage.ts';
import type { TransferStore } from './transfer-store.ts';

/** Those that wait until nothing more happens to an order by itself. */
export interface SettledWaits {
  /** @throws AppError `cancelled`, `library.corrupt` where the queue's file turns out to be damaged */
  wait(downloadId: number, signal?: AbortSignal): Promise<Transfer[]>;
  /** Looks whether any of them has come to its end. */
  look(): void;
  /** Forgets them. */
  close(): void;
}

const unsettled = transferStates.filter((state) => !isSettled(state));

/** Nobody waits yet. `findDamage` tells why no order will ever settle, while that is so. */
export function createSettledWaits(parts: {
  store: Pick<TransferStore, 'has'>;
  transfersOf: (downloadId: number) => Transfer[];
  findDamage: () => AppError | null;
}): SettledWaits {
  const { store, transfersOf, findDamage } = parts;
  const waits = new Set<() => void>();

  return {
    look() {
      for (const look of waits) look();
    },
    close: () => waits.clear(),
    wait(downloadId, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<Transfer[]>();
      function look(): void {
        try {
          const damage = findDamage();
          if (damage !== null) throw damage;
          if (!store.has({ downloadId, states: unsettled })) end(resolve, transfersOf(downloadId));
        } catch (error) {
          end(reject, isDamageOfQueue(error) ? damagedQueue(error) : toAppError(error));
        }
      }
      function end<Outcome>(tell: (outcome: Outcome) => void, outcome: Outcome): void {
        waits.delete(look);
        signal?.removeEventListener('abort', onAbort);
        tell(outcome);
      }
      const onAbort = () => end(reject, new AppError('cancelled', 'The wait was given up'));
      waits.add(look);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) onAbort();
      else look();
      return promise;
    },
  };
}
