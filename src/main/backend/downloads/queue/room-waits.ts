import type { Database } from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import { reserveBytes } from '../file/volumes.ts';
import type { FullVolume } from '../limits/full-volumes.ts';

/** Transfers that wait for room on their volume, on disk. Each step is one, however many they are. */
export interface RoomWaits {
  /**
   * Has those that don't fit on a volume wait until a time: what is queued, and what has waited for room until `dueMs`.
   * Gives their ids.
   */
  begin(full: FullVolume, times: { dueMs: number; resumeAtMs: number }): number[];
  /** Queues what waits for room in these folders. Gives their ids. */
  end(destinations: readonly string[]): number[];
}

const ofFolders = `download_id IN (SELECT download_id FROM download
  WHERE queued_at_ms IS NOT NULL AND destination IN (SELECT value FROM json_each(?)))`;
const waitsForRoom = "state = 'waiting' AND error_json ->> '$.code' = 'transfer.disk-full'";
// As `neededBytesOf` has it.
const neededBytes = 'max(coalesce(total_bytes, announced_bytes) - durable_bytes, 0)';

/** The waits of an open queue. */
export function createRoomWaits(database: Database): RoomWaits {
  const begin = database
    .prepare<unknown[], number>(
      `UPDATE transfer SET state = 'waiting', resume_at_ms = ?,
         error_json =
           json_set(?, '$.details.neededBytes', ${neededBytes}, '$.details.missingBytes', ${neededBytes} + ?)
       WHERE (state = 'queued' OR (${waitsForRoom} AND resume_at_ms <= ?))
         AND ${ofFolders} AND (? OR ${neededBytes} >= ?)
       RETURNING transfer_id`,
    )
    .pluck();
  const end = database
    .prepare<[string], number>(
      `UPDATE transfer SET state = 'queued', resume_at_ms = NULL WHERE ${waitsForRoom} AND ${ofFolders}
       RETURNING transfer_id`,
    )
    .pluck();
  return {
    begin(full, { dueMs, resumeAtMs }) {
      const { destinations, isOut, neededBytes: least } = full;
      const freeBytes = knownFreeBytes(full);
      const beyondBytes = freeBytes === null ? null : reserveBytes - freeBytes;
      const [error, folders] = [noRoom(freeBytes).toData(), destinations].map((value) =>
        JSON.stringify(value),
      );
      return begin.all(resumeAtMs, error, beyondBytes, dueMs, folders, Number(isOut), least);
    },
    end: (destinations) => end.all(JSON.stringify(destinations)),
  };
}

// What a full volume says is free may be of no use: a quota can be used up.
function knownFreeBytes({ isOut, freeBytes }: FullVolume): number | null {
  return isOut ? null : freeBytes;
}

function noRoom(freeBytes: number | null): AppError {
  const details = freeBytes === null ? {} : { freeBytes, reserveBytes };
  return new AppError('transfer.disk-full', 'The volume has no room', { details, retryable: true });
}
