import type { AppError } from '#shared/errors/app-error.ts';
import { isUnreachable } from '../limits/is-unreachable.ts';
import type { TransferRow } from '../queue/transfer-row.ts';
import type { Timers } from '../tasks/timers.ts';
import { waitsForNetwork } from './waiting-transfers.ts';

type IsMeant = (row: Pick<TransferRow, 'destination' | 'error'>) => boolean;

/** What several transfers wait for together, so that all go on with the first that finds it. */
export interface SharedWaits {
  /** What has stopped a transfer. */
  note(row: Pick<TransferRow, 'destination'>, error: AppError): void;
  /** A folder is there: which transfers waited for it; null where none is known to. */
  findFolder(destination: string): IsMeant | null;
  /** A server has answered: which waited for it; null where none is known to, or it refuses others still. */
  findServer(origin: string): IsMeant | null;
}

// One that lets in some and refuses others would be asked by all of these with each answer.
const calmMs = 5000;

/** Nothing was met yet. */
export function createSharedWaits(timers: Pick<Timers, 'elapsedMs'>): SharedWaits {
  const folders = new Set<string>();
  /** When a host could last not be reached. */
  const hosts = new Map<unknown, number>();
  return {
    note({ destination }, error) {
      if (error.code === 'transfer.destination-missing') folders.add(destination);
      if (isUnreachable(error)) hosts.set(error.details['host'], timers.elapsedMs());
    },
    findFolder(destination) {
      if (!folders.delete(destination)) return null;
      return (row) => row.destination === destination && row.error?.code === 'transfer.destination-missing';
    },
    findServer(origin) {
      if (hosts.size === 0) return null;
      const { host } = new URL(origin);
      const atMs = hosts.get(host);
      if (atMs === undefined || timers.elapsedMs() - atMs < calmMs) return null;
      hosts.delete(host);
      return (row) => waitsForNetwork(row) && row.error?.details['host'] === host;
    },
  };
}
