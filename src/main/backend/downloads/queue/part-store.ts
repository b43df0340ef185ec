import type { Database } from 'better-sqlite3';
import type { Durable, Island } from '../file/chunk.ts';
import type { VolumeMemory } from '../file/volumes.ts';
import { toAssignments } from './select-transfers.ts';
import { withoutFile } from './transfer-row.ts';

/** What the queue knows of part files and of where they are. */
export interface PartStore extends VolumeMemory {
  /** CRC-32 of a part file's chunks by index. */
  chunkCrcs(transferId: number): ReadonlyMap<number, number>;
  /** What a part file has beyond the first gap in it. */
  islands(transferId: number): Island[];
  saveDurable(transferId: number, durable: Durable): void;
  /**
   * Ends the time in which transfers can be had back: of one cancel, or where it is over at `dueMs`. From then on they
   * can't be, whatever becomes of their files. One step, however many they are; gives their ids.
   */
  endUndo(which: { cancelId: number } | { dueMs: number }): number[];
  /** Cancelled transfers that can't be had back and still have a part file. */
  cancelledParts(): { transferId: number; destination: string }[];
  /** Notes the part files of transfers that are removed, to be deleted. */
  dropPartsOf(transferIds: readonly number[]): void;
  /** Part files that are to be deleted: no transfer has them any more. */
  dropped(): string[];
  forgetDropped(partPath: string): void;
  /** Part files of those of some transfers that have one. */
  partPaths(transferIds: readonly number[]): { transferId: number; partPath: string }[];
}

/** Part files of an open queue. */
export function createPartStore(database: Database): PartStore {
  const selectChunks = database.prepare<[number], { idx: number; crc32: number }>(
    'SELECT idx, crc32 FROM chunk WHERE transfer_id = ?',
  );
  const saveChunk = database.prepare('INSERT OR REPLACE INTO chunk VALUES (?, ?, ?)');
  const deleteChunk = database.prepare('DELETE FROM chunk WHERE transfer_id = ? AND idx = ?');
  const deleteChunks = database.prepare('DELETE FROM chunk WHERE transfer_id = ? AND idx >= ?');
  const selectIslands = database.prepare<[number], Island>(
    'SELECT start_bytes AS startBytes, end_bytes AS endBytes, crc32 FROM island WHERE transfer_id = ?',
  );
  const saveIsland = database.prepare('INSERT INTO island VALUES (?, ?, ?, ?)');
  const deleteIslands = database.prepare('DELETE FROM island WHERE transfer_id = ?');
  const selectVolume = database.prepare<[string], string>(
    'SELECT volume FROM destination_volume WHERE destination = ?',
  );
  const isOver = "state = 'cancelled' AND drop_at_ms IS NOT NULL AND (cancel_id = ? OR drop_at_ms <= ?)";
  const fileless = toAssignments({ ...withoutFile, dropAtMs: null });
  const endOfFileless = database
    .prepare<unknown[], number>(
      `UPDATE transfer SET ${fileless.sql} WHERE ${isOver} AND part_path IS NULL RETURNING transfer_id`,
    )
    .pluck();
  const endOfOthers = database
    .prepare<unknown[], number>(`UPDATE transfer SET drop_at_ms = NULL WHERE ${isOver} RETURNING transfer_id`)
    .pluck();
  const selectCancelled = database.prepare<[], { transferId: number; destination: string }>(
    `SELECT t.transfer_id AS transferId, d.destination AS destination
     FROM transfer t JOIN download d ON d.download_id = t.download_id
     WHERE t.state = 'cancelled' AND t.drop_at_ms IS NULL AND t.part_path IS NOT NULL`,
  );
  const selectPaths = database.prepare<[string], { transferId: number; partPath: string }>(
    `SELECT transfer_id AS transferId, part_path AS partPath FROM transfer
     WHERE part_path IS NOT NULL AND transfer_id IN (SELECT value FROM json_each(?))`,
  );
  const dropParts = database.prepare(
    `INSERT OR IGNORE INTO dropped_part SELECT part_path FROM transfer
     WHERE part_path IS NOT NULL AND transfer_id IN (SELECT value FROM json_each(?))`,
  );
  const selectDropped = database.prepare<[], string>('SELECT part_path FROM dropped_part').pluck();
  const forgetDropped = database.prepare('DELETE FROM dropped_part WHERE part_path = ?');
  const saveVolume = database.prepare('INSERT OR REPLACE INTO destination_volume VALUES (?, ?)');
  return {
    chunkCrcs: (transferId) => new Map(selectChunks.all(transferId).map(({ idx, crc32 }) => [idx, crc32])),
    islands: (transferId) => selectIslands.all(transferId),
    saveDurable(transferId, { chunks, chunkCount, islands }) {
      deleteChunks.run(transferId, chunkCount);
      for (const { index, crc32 } of chunks) {
        if (crc32 === null) deleteChunk.run(transferId, index);
        else saveChunk.run(transferId, index, crc32);
      }
      deleteIslands.run(transferId);
      for (const { startBytes, endBytes, crc32 } of islands)
        saveIsland.run(transferId, startBytes, endBytes, crc32);
    },
    endUndo: database.transaction<PartStore['endUndo']>((which) => {
      const meant = 'cancelId' in which ? [which.cancelId, null] : [null, which.dueMs];
      return [...endOfFileless.all(...fileless.values, ...meant), ...endOfOthers.all(...meant)];
    }),
    cancelledParts: () => selectCancelled.all(),
    dropPartsOf: (transferIds) => void dropParts.run(JSON.stringify(transferIds)),
    dropped: () => selectDropped.all(),
    forgetDropped: (partPath) => void forgetDropped.run(partPath),
    partPaths: (transferIds) => selectPaths.all(JSON.stringify(transferIds)),
    volumeOf: (destination) => selectVolume.pluck().get(destination) ?? null,
    noteVolume: (destination, volume) => void saveVolume.run(destination, volume),
  };
}
