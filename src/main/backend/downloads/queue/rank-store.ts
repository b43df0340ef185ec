import type { Database } from 'better-sqlite3';
import type { TransferFilter, TransferPlace } from '#shared/transfer/transfer-filter.ts';
import type { TransferPriority } from '#shared/transfer/transfer.ts';
import { toCondition } from './select-transfers.ts';

/** Room left between two transfers, so that others can be put there without moving all. */
export const rankStep = 1_048_576;

/** The stored number of each priority. */
export const priorityNumbers: Readonly<Record<TransferPriority, number>> = { high: 1, normal: 0, low: -1 };

/** The queue's order on disk. */
export interface RankStore {
  /** Moves transfers, which keep their order among each other. Gives all ids whose place is another now. */
  move(transferIds: readonly number[], place: TransferPlace): number[];
  /** Gives the ids of those that had another priority; they come after those that have it already. */
  prioritise(filter: TransferFilter, priority: TransferPriority): number[];
}

interface Rank {
  transferId: number;
  priority: number;
  position: number;
}

const selectRank = 'SELECT transfer_id AS transferId, priority, position FROM transfer';

/** The order of an open queue. */
export function createRankStore(database: Database): RankStore {
  const place = database.prepare('UPDATE transfer SET priority = ?, position = ? WHERE transfer_id = ?');

  function put(
    transferIds: readonly number[],
    { priority, start, step }: { priority: number; start: number; step: number },
  ): void {
    transferIds.forEach((transferId, index) => place.run(priority, start + step * index, transferId));
  }

  function moveBetween(
    transferIds: readonly number[],
    gap: { priority: number; after: Rank | undefined; before: Rank | undefined },
  ): number[] {
    const { priority, after, before } = gap;
    if (before === undefined) {
      put(transferIds, { priority, start: nextPosition(database, priority), step: rankStep });
      return [...transferIds];
    }
    if (after === undefined) {
      put(transferIds, { priority, start: before.position - rankStep * transferIds.length, step: rankStep });
      return [...transferIds];
    }
    const step = Math.floor((before.position - after.position) / (transferIds.length + 1));
    if (step > 0) {
      put(transferIds, { priority, start: after.position + step, step });
      return [...transferIds];
    }
    // No room is left: all of that priority are numbered anew.
    const moved = new Set(transferIds);
    const others = database
      .prepare<[number], number>('SELECT transfer_id FROM transfer WHERE priority = ? ORDER BY position')
      .pluck()
      .all(priority)
      .filter((transferId) => !moved.has(transferId));
    const at = others.indexOf(before.transferId);
    const all = [...others.slice(0, at), ...transferIds, ...others.slice(at)];
    put(all, { priority, start: rankStep, step: rankStep });
    return all;
  }

  function findGap(transferIds: readonly number[], wanted: TransferPlace) {
    const movedJson = JSON.stringify(transferIds);
    const others = `${selectRank} WHERE transfer_id NOT IN (SELECT value FROM json_each(?))`;
    const find = (where: string, ...values: unknown[]): Rank | undefined =>
      database.prepare<unknown[], Rank>(`${others} ${where} LIMIT 1`).get(movedJson, ...values);
    const isOpen = "AND state NOT IN ('done', 'cancelled')";
    if (wanted === 'top') {
      const before = find(`${isOpen} ORDER BY priority DESC, position`);
      const priority = before?.priority ?? 0;
      const after =
        before && find('AND priority = ? AND position < ? ORDER BY position DESC', priority, before.position);
      return { priority, after, before };
    }
    if (wanted === 'bottom') {
      const last = find(`${isOpen} ORDER BY priority, position DESC`);
      return { priority: last?.priority ?? 0, after: undefined, before: undefined };
    }
    const isBefore = 'before' in wanted;
    const anchor = find('AND transfer_id = ?', isBefore ? wanted.before : wanted.after);
    if (anchor === undefined) return null;
    const { priority, position } = anchor;
    return isBefore
      ? {
          priority,
          after: find('AND priority = ? AND position < ? ORDER BY position DESC', priority, position),
          before: anchor,
        }
      : {
          priority,
          after: anchor,
          before: find('AND priority = ? AND position > ? ORDER BY position', priority, position),
        };
  }

  return {
    move: database.transaction<RankStore['move']>((transferIds, wanted) => {
      const inOrder = database
        .prepare<unknown[], number>(
          `SELECT transfer_id FROM transfer WHERE transfer_id IN (SELECT value FROM json_each(?))
           ORDER BY priority DESC, position`,
        )
        .pluck()
        .all(JSON.stringify(transferIds));
      const gap = findGap(inOrder, wanted);
      return gap === null || inOrder.length === 0 ? [] : moveBetween(inOrder, gap);
    }),
    prioritise: database.transaction<RankStore['prioritise']>((filter, priority) => {
      const number = priorityNumbers[priority];
      const { sql, values } = toCondition(filter);
      const transferIds = database
        .prepare<unknown[], number>(
          `SELECT transfer_id FROM transfer WHERE priority <> ? AND ${sql} ORDER BY priority DESC, position`,
        )
        .pluck()
        .all(number, ...values);
      put(transferIds, { priority: number, start: nextPosition(database, number), step: rankStep });
      return transferIds;
    }),
  };
}

/** The position after all others of a priority. */
export function nextPosition(database: Database, priority: number): number {
  const last = database
    .prepare<[number], number | null>('SELECT max(position) FROM transfer WHERE priority = ?')
    .pluck()
    .get(priority);
  return (last ?? 0) + rankStep;
}
