import { toAppError, type AppError } from '#shared/errors/app-error.ts';
import type { Clock, Logger } from '../../ports.ts';
import type { Disk } from '../file/disk.ts';
import { createFullVolumes } from '../limits/full-volumes.ts';
import type { RoomWaits } from '../queue/room-waits.ts';
import { neededBytesOf, type TransferRow } from '../queue/transfer-row.ts';
import type { TransferStore } from '../queue/transfer-store.ts';
import type { Timers } from '../tasks/timers.ts';

const lookMs = 30_000;

/** Has transfers wait for room on their volumes, so that each says what for, and none stands in the way of smaller ones. */
export interface VolumeWaits {
  /** Whether there is no room for a transfer. */
  isFull(row: TransferRow): boolean;
  /** Whether that is what it waits for. */
  waits(row: TransferRow): boolean;
  /** Has all wait that there is no room for: what is queued, and what has waited for it until `dueMs`. Gives how many. */
  begin(dueMs?: number): number;
  /** A transfer has ended because there was no room for it. */
  note(row: Readonly<TransferRow>, error: AppError): void;
  close(): void;
}

/** Waits of a queue. `onRoom` is called when some go on; `onOut` with folders that take nothing any more. */
export function createVolumeWaits(parts: {
  disk: Disk;
  timers: Timers;
  clock: Clock;
  logger: Logger;
  store: Pick<TransferStore, 'destinations'>;
  waits: RoomWaits;
  onChange: (transferId: number) => void;
  onRoom: () => void;
  onOut: (destinations: readonly string[]) => void;
}): VolumeWaits {
  const { clock, logger, store, waits } = parts;
  const volumes = createFullVolumes({
    disk: parts.disk,
    timers: parts.timers,
    onChange({ destinations, hasRoom }) {
      try {
        if (hasRoom) waits.end(destinations).forEach(parts.onChange);
      } catch (error) {
        // The queue's own disk may be full; each wait has a time, too.
        logStuck(error);
      }
      if (hasRoom) parts.onRoom();
      else parts.onOut(destinations);
    },
  });

  function logStuck(error: unknown): void {
    logger.error('queue.stuck', { reason: toAppError(error).message });
  }

  function isFull(row: TransferRow): boolean {
    return volumes.isFull(row.destination, neededBytesOf(row));
  }

  return {
    isFull,
    waits: (row) => row.error?.code === 'transfer.disk-full' && isFull(row),
    begin(dueMs = clock.now()) {
      const resumeAtMs = clock.now() + lookMs;
      const begun = volumes.all().flatMap((full) => waits.begin(full, { dueMs, resumeAtMs }));
      begun.forEach(parts.onChange);
      return begun.length;
    },
    note(row, { details }) {
      const { freeBytes, neededBytes } = readRoom(details);
      volumes
        .noteFull({
          destination: row.destination,
          // What lies beyond a gap is there already, and the row doesn't tell of it.
          neededBytes: neededBytes ?? neededBytesOf(row) ?? 0,
          // Else it was only looked at.
          isOut: freeBytes === null,
          freeBytes,
          known: store.destinations().map(({ destination }) => destination),
        })
        .catch(logStuck);
    },
    close: () => volumes.close(),
  };
}

function readRoom({
  freeBytes,
  neededBytes,
}: AppError['details']): Record<'freeBytes' | 'neededBytes', number | null> {
  const toBytes = (value: unknown) => (typeof value === 'number' ? value : null);
  return { freeBytes: toBytes(freeBytes), neededBytes: toBytes(neededBytes) };
}
