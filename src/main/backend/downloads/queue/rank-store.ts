import type { Database } from 'better-sqlite3';
import type { TransferFilter, TransferPlace } from '#shared/transfer/transfer-filter.ts';
import type { TransferPriority } from '#shared/transfer/transfer.ts';
import { toCondition } from './select-transfers.ts';

/** Room left between two transfers, so that others can be put there without moving all. */
export const rankStep = 1_048_576;

/** The stored number of each priority. */
export const priorityNumbers: Readonly<Record<TransferPriority, number>> = { high: 1, normal: 0, low: -1 };

/** A transfer's place in the queue. */
export interface Rank {
  transferId: number;
  priority: number;
  position: number;
}

/** Where transfers go, and the ids of those that were shifted to make room for them. */
export interface Ranking {
  ranks: Rank[];
  shiftedIds: number[];
}

/** The queue's order on disk. */
export interface RankStore {
  /**
   * Finds the ranks that move transfers to a place, in the order that they have among each other; where there is no room
   * for them, those behind that place are shifted.
   */
  findPlace(transferIds: readonly number[], place: TransferPlace): Ranking;
  /** Finds the ranks of those that have another priority; they come after those that have it already. */
  findPriority(filter: TransferFilter, priority: TransferPriority): Ranking;
  /** Puts transfers where they go. */
  put(ranks: readonly Rank[]): void;
}

interface Gap {
  priority: number;
  after: Rank | undefined;
  before: Rank | undefined;
}

const selectRank = 'SELECT transfer_id AS transferId, priority, position FROM transfer';

/** The order of an open queue. */
export function createRankStore(database: Database): RankStore {
  const place = database.prepare(
    `UPDATE transfer SET priority = one.value ->> 1, position = one.value ->> 2 FROM json_each(?) AS one
     WHERE transfer_id = one.value ->> 0`,
  );
  const shift = database
    .prepare<[number, number, number], number>(
      'UPDATE transfer SET position = position + ? WHERE priority = ? AND position >= ? RETURNING transfer_id',
    )
    .pluck();

  function spread(
    transferIds: readonly number[],
    { priority, start, step }: { priority: number; start: number; step: number },
  ): Rank[] {
    return transferIds.map((transferId, index) => ({ transferId, priority, position: start + step * index }));
  }

  function rankBetween(transferIds: readonly number[], { priority, after, before }: Gap): Ranking {
    const step = rankStep;
    if (before === undefined) {
      const start = nextPosition(database, priority);
      return { ranks: spread(transferIds, { priority, start, step }), shiftedIds: [] };
    }
    if (after === undefined) {
      const start = before.position - step * transferIds.length;
      return { ranks: spread(transferIds, { priority, start, step }), shiftedIds: [] };
    }
    const room = Math.floor((before.position - after.position) / (transferIds.length + 1));
    if (room > 0) {
      const start = after.position + room;
      return { ranks: spread(transferIds, { priority, start, step: room }), shiftedIds: [] };
    }
    const shiftedIds = shift.all(step * transferIds.length, priority, before.position);
    return { ranks: spread(transferIds, { priority, start: after.position + 1, step }), shiftedIds };
  }

  function findGap(transferIds: readonly number[], wanted: TransferPlace): Gap | null {
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
    findPlace(transferIds, wanted) {
      const inOrder = database
        .prepare<unknown[], number>(
          `SELECT transfer_id FROM transfer WHERE transfer_id IN (SELECT value FROM json_each(?))
           ORDER BY priority DESC, position`,
        )
        .pluck()
        .all(JSON.stringify(transferIds));
      const gap = findGap(inOrder, wanted);
      return gap === null || inOrder.length === 0 ? { ranks: [], shiftedIds: [] } : rankBetween(inOrder, gap);
    },
    findPriority(filter, priority) {
      const number = priorityNumbers[priority];
      const { sql, values } = toCondition(filter);
      const transferIds = database
        .prepare<unknown[], number>(
          `SELECT transfer_id FROM transfer WHERE priority <> ? AND ${sql} ORDER BY priority DESC, position`,
        )
        .pluck()
        .all(number, ...values);
      const start = nextPosition(database, number);
      return { ranks: spread(transferIds, { priority: number, start, step: rankStep }), shiftedIds: [] };
    },
    put(ranks) {
      const placed = ranks.map(({ transferId, priority, position }) => [transferId, priority, position]);
      place.run(JSON.stringify(placed));
    },
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
