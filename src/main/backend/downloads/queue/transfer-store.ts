import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import type { ErrorData } from '#shared/errors/app-error.ts';
import type { StacItem } from '#shared/stac/item.ts';
import type { FileFinding } from '#shared/transfer/file-finding.ts';
import { nextState, type TransferEvent } from '#shared/transfer/next-state.ts';
import type { TransferFilter } from '#shared/transfer/transfer-filter.ts';
import { transferStates, type TransferState } from '#shared/transfer/transfer.ts';
import { unpackSnapshot } from './item-snapshot.ts';
import {
  bound,
  byRank,
  isInQueue,
  selectTransfers,
  toAssignments,
  toCondition,
  toTransferRow,
} from './select-transfers.ts';
import type { RowChanges, TransferRow } from './transfer-row.ts';

/** Transfers on disk. Every change is durable when the method returns. Synchronous and short. */
export interface TransferStore {
  row(transferId: number): TransferRow | null;
  /** In the queue's order. */
  rows(): TransferRow[];
  /** In the queue's order. */
  rowsOf(downloadId: number): TransferRow[];
  /** In the queue's order. */
  rowsIn(...states: TransferState[]): TransferRow[];
  /** Those that wait until then or earlier. In the queue's order. */
  rowsDue(nowMs: number): TransferRow[];
  /** In the queue's order. */
  idsOf(filter: TransferFilter): number[];
  /** Whether any fits. */
  has(filter: TransferFilter): boolean;
  /** Has transfers back that were cancelled together, as they were before, those that ran queued. Gives their ids. */
  undoCancel(cancelId: number): number[];
  /** Those that are done and whose files are missing or changed. */
  idsOfSpoilt(filter: TransferFilter): number[];
  /** When the first waiting transfer goes on. */
  nextResumeAtMs(): number | null;
  /** When the first part file of a cancelled transfer is deleted. */
  nextDropAtMs(): number | null;
  update(transferId: number, changes: RowChanges): void;
  updateAll(transferIds: readonly number[], changes: RowChanges): void;
  /** Writes what `work` writes in one durable step. */
  together<Result>(work: () => Result): Result;
  /** Does to all that fit, and that it means something to, what an event does; all or nothing. Gives their ids. */
  decideAll(filter: TransferFilter, event: TransferEvent, options?: DecideOptions): number[];
  /** Claims a final name; false when another transfer has it. */
  reserveName(transferId: number, changes: { nameKey: string } & RowChanges): boolean;
  /** Whether a folder belongs to an owner, which it does from its first claim on. */
  claimFolder(folderKey: string, owner: string): boolean;
  /** What stands in the names of this queue's part files, so that no other queue's are named so. */
  partTag(): string;
  /** The mark of this queue, if it is known: none has been made of one that began anew without a copy. */
  knownPartTag(): string | null;
  /** Whether a file is on the list as done. */
  isDone(filePath: string): boolean;
  /** Whether a file is that of another asset, which is done. */
  isOfOther(filePath: string, asset: Pick<TransferRow, 'collectionId' | 'itemId' | 'assetKey'>): boolean;
  /** The transfers that are done and brought these files. */
  doneByPath(filePaths: readonly string[]): { transferId: number; filePath: string; destination: string }[];
  /** The folders that were ordered into, of each catalog, and when that was last. */
  destinations(): { connectionId: string; destination: string; usedAtMs: number }[];
  /** The latest of what happened to a transfer, oldest first. */
  eventsOf(transferId: number): TransferEventRow[];
  /** The Item of a transfer, as it was when it was ordered. */
  itemOf(transferId: number): StacItem;
  remove(transferIds: readonly number[]): void;
}

/** Something that happened to a transfer. */
export interface TransferEventRow {
  atMs: number;
  state: TransferState;
  durableBytes: number;
  error: ErrorData | null;
  /** Of a file that was looked at again. */
  finding: FileFinding['result'] | null;
}

/** What `decideAll` does beside changing states. */
export interface DecideOptions {
  changes?: RowChanges;
  except?: readonly number[];
  /** Notes the state that was left. */
  keepsBefore?: boolean;
}

/** Transfers in an open queue. */
export function createTransferStore(database: Database.Database): TransferStore {
  const statements = new Map<string, Database.Statement>();
  const selectOne = database.prepare(`${selectTransfers} WHERE t.transfer_id = ${bound}`);
  const selectNextResume = database
    // Without it all that wait are read, twice for each file that comes home.
    .prepare("SELECT MIN(resume_at_ms) FROM transfer INDEXED BY transfer_resuming WHERE state = 'waiting'")
    .pluck();
  const selectNextDrop = database
    .prepare('SELECT MIN(drop_at_ms) FROM transfer WHERE cancel_id IS NOT NULL AND drop_at_ms IS NOT NULL')
    .pluck();
  const insertFolder = database.prepare('INSERT OR IGNORE INTO output_folder VALUES (?, ?)');
  const selectFolder = database.prepare('SELECT owner FROM output_folder WHERE folder_key = ?').pluck();
  const insertTag = database.prepare("INSERT INTO queue_fact VALUES ('partTag', ?)");
  const selectTag = database
    .prepare<[], string>("SELECT value_json FROM queue_fact WHERE name = 'partTag'")
    .pluck();
  const knownPartTag = (): string | null => {
    const known = selectTag.get();
    return known === undefined ? null : (JSON.parse(known) as string);
  };
  const selectItem = database
    .prepare<[number], Buffer>(
      `SELECT i.item FROM download_item i JOIN transfer t ON t.item_pk = i.item_pk WHERE t.transfer_id = ${bound}`,
    )
    .pluck();
  const selectEvents = database.prepare<[number], Omit<TransferEventRow, 'error'> & { error: string | null }>(
    `SELECT at_ms AS atMs, state, durable_bytes AS durableBytes, error_json AS error, finding FROM event
     WHERE transfer_id = ? ORDER BY event_id`,
  );
  const selectDone = database.prepare("SELECT 1 FROM transfer WHERE state = 'done' AND file_path = ?");
  const selectOther = database.prepare(
    `SELECT 1 FROM transfer JOIN download_item USING (item_pk)
     WHERE state = 'done' AND file_path = ? AND NOT (collection_id = ? AND item_id = ? AND asset_key = ?)`,
  );
  const selectDoneByPath = database.prepare<
    [string],
    { transferId: number; filePath: string; destination: string }
  >(
    `SELECT transfer_id AS transferId, file_path AS filePath, d.destination AS destination
     FROM transfer JOIN download d USING (download_id)
     WHERE state = 'done' AND file_path IN (SELECT value FROM json_each(?)) AND ${isInQueue}`,
  );
  const undoThose = database
    .prepare<[number], number>(
      `UPDATE transfer SET state = CASE WHEN state_before IN ('paused', 'failed') THEN state_before ELSE 'queued' END,
         cancel_id = NULL, drop_at_ms = NULL, state_before = NULL
       WHERE cancel_id = ? AND state = 'cancelled' AND drop_at_ms IS NOT NULL RETURNING transfer_id`,
    )
    .pluck();
  // The files of an Item come one after the other, and unpacking takes many times as long as comparing.
  let last: { packed: Buffer; item: StacItem } | null = null;
  const deleteThose = database.prepare<[string], Belonging>(
    `DELETE FROM transfer WHERE transfer_id IN (SELECT value FROM json_each(?))
     RETURNING download_id AS downloadId, item_pk AS itemPk`,
  );

  // Few texts, each used again and again.
  function prepare(sql: string): Database.Statement {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function select(where: string, ...values: unknown[]): TransferRow[] {
    return prepare(`${selectTransfers} ${where} ${byRank}`)
      .all(...values)
      .map(toTransferRow);
  }

  function update(transferId: number, changes: RowChanges): void {
    const { sql, values } = toAssignments(changes);
    if (values.length > 0)
      prepare(`UPDATE transfer SET ${sql} WHERE transfer_id = ?`).run(...values, transferId);
  }

  function decideFrom(
    state: TransferState,
    next: TransferState,
    { filter, options }: { filter: TransferFilter; options: DecideOptions },
  ): number[] {
    const { changes = {}, except = [], keepsBefore = false } = options;
    const set = toAssignments({ ...changes, state: next });
    const { sql, values } = toCondition(filter);
    return database
      .prepare<unknown[], number>(
        `UPDATE transfer SET ${set.sql} ${keepsBefore ? ', state_before = state' : ''}
         WHERE state = ? AND ${sql} AND transfer_id NOT IN (SELECT value FROM json_each(?))
         RETURNING transfer_id`,
      )
      .pluck()
      .all(...set.values, state, ...values, JSON.stringify(except));
  }

  return {
    row: (transferId) => {
      const stored = selectOne.get(transferId);
      return stored === undefined ? null : toTransferRow(stored);
    },
    rows: () => select(''),
    rowsOf: (downloadId) => select('WHERE t.download_id = ?', downloadId),
    rowsIn: (...states) => select(`WHERE t.state IN (${states.map(() => '?').join(', ')})`, ...states),
    rowsDue: (nowMs) =>
      select("WHERE t.state = 'waiting' AND (t.resume_at_ms IS NULL OR t.resume_at_ms <= ?)", nowMs),
    idsOf(filter) {
      const { sql, values } = toCondition(filter);
      return database
        .prepare<unknown[], number>(
          `SELECT transfer_id FROM transfer WHERE ${sql} ORDER BY priority DESC, position`,
        )
        .pluck()
        .all(...values);
    },
    has(filter) {
      const { sql, values } = toCondition(filter);
      return prepare(`SELECT 1 FROM transfer WHERE ${sql} LIMIT 1`).get(...values) !== undefined;
    },
    undoCancel: (cancelId) => undoThose.all(cancelId),
    idsOfSpoilt(filter) {
      const { sql, values } = toCondition(filter);
      return database
        .prepare<unknown[], number>(
          `SELECT transfer_id FROM transfer WHERE state = 'done' AND finding IS NOT NULL AND ${sql}`,
        )
        .pluck()
        .all(...values);
    },
    nextResumeAtMs: () => Number(selectNextResume.get() ?? NaN) || null,
    nextDropAtMs: () => Number(selectNextDrop.get() ?? NaN) || null,
    update,
    updateAll(transferIds, changes) {
      const { sql, values } = toAssignments(changes);
      const those = 'transfer_id IN (SELECT value FROM json_each(?))';
      prepare(`UPDATE transfer SET ${sql} WHERE ${those}`).run(...values, JSON.stringify(transferIds));
    },
    together: (work) => database.transaction(work)(),
    decideAll: database.transaction<TransferStore['decideAll']>((filter, event, options = {}) => {
      // No event leads to a state in which it means something again, so that none is met twice.
      return transferStates.flatMap((state) => {
        const next = nextState(state, event);
        return next === null || next === state ? [] : decideFrom(state, next, { filter, options });
      });
    }),
    reserveName(transferId, changes) {
      try {
        update(transferId, changes);
        return true;
      } catch (thrown) {
        if (thrown instanceof Database.SqliteError && thrown.code === 'SQLITE_CONSTRAINT_UNIQUE')
          return false;
        throw thrown;
      }
    },
    claimFolder(folderKey, owner) {
      insertFolder.run(folderKey, owner);
      return selectFolder.get(folderKey) === owner;
    },
    knownPartTag,
    partTag() {
      const known = knownPartTag();
      if (known !== null) return known;
      const tag = randomUUID().slice(0, 6);
      insertTag.run(JSON.stringify(tag));
      return tag;
    },
    isDone: (filePath) => selectDone.get(filePath) !== undefined,
    isOfOther: (filePath, { collectionId, itemId, assetKey }) =>
      selectOther.get(filePath, collectionId, itemId, assetKey) !== undefined,
    doneByPath: (filePaths) => selectDoneByPath.all(JSON.stringify(filePaths)),
    destinations: () =>
      database
        .prepare<[], { connectionId: string; destination: string; usedAtMs: number }>(
          `SELECT connection_id AS connectionId, destination, max(created_at_ms) AS usedAtMs
           FROM download GROUP BY connection_id, destination`,
        )
        .all(),
    eventsOf: (transferId) =>
      selectEvents.all(transferId).map(({ error, ...event }) => ({
        ...event,
        error: error === null ? null : (JSON.parse(error) as ErrorData),
      })),
    itemOf(transferId) {
      const packed = selectItem.get(transferId) ?? Buffer.from('{}');
      if (last === null || !last.packed.equals(packed)) last = { packed, item: unpackSnapshot(packed) };
      return last.item;
    },
    remove: database.transaction((transferIds: readonly number[]) => {
      removeUnused(database, deleteThose.all(JSON.stringify(transferIds)));
    }),
  };
}

/** What a transfer is of. */
export interface Belonging {
  downloadId: number;
  itemPk: number;
}

/** Deletes Items and orders that transfers have left, where no other transfer is of them. */
export function removeUnused(database: Database.Database, left: readonly Belonging[]): void {
  const deleteUnused = database.prepare(
    `DELETE FROM download_item WHERE item_pk IN (SELECT value FROM json_each(?)) AND NOT EXISTS
       (SELECT 1 FROM transfer t WHERE t.item_pk = download_item.item_pk)`,
  );
  const isEmpty =
    'download_id = $downloadId AND NOT EXISTS (SELECT 1 FROM transfer WHERE download_id = $downloadId)';
  const deleteItems = database.prepare(`DELETE FROM download_item WHERE ${isEmpty}`);
  const deleteOrder = database.prepare(`DELETE FROM download WHERE ${isEmpty}`);
  deleteUnused.run(JSON.stringify([...new Set(left.map((one) => one.itemPk))]));
  for (const downloadId of new Set(left.map((one) => one.downloadId))) {
    deleteItems.run({ downloadId });
    deleteOrder.run({ downloadId });
  }
}
