import type { Database } from 'better-sqlite3';
import { setImmediate } from 'node:timers/promises';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { CollectionKeys } from '../collection-keys.ts';
import { shapesOf, unpackItem } from '../item-json.ts';
import type { PagePosition } from '../library.ts';
import { selectCandidates } from './area.ts';
import type { CompiledQuery } from './compile-query.ts';
import type { SqlCondition } from './condition.ts';
import { afterCondition, toOrderBy } from './sort-order.ts';

/**
 * Up to this many candidates of the R*Tree are sorted after they were found; with more, walking the answer's own
 * order and asking each Item's box is faster (design.md §5: 1.5 ms instead of 59 for 58,000 candidates).
 */
const maxSortedCandidates = 2000;

/** Unpacking an Item takes some 40 µs: between batches of this size others get their turn. */
const batchSize = 200;

/** An Item that matches, and where it stands in the answer. */
export interface Match extends IdentifiedItem {
  position: PagePosition;
}

/** Where to begin, and how many are wanted at most. */
export interface WalkOptions {
  after: PagePosition | null;
  limit: number;
  signal: AbortSignal | undefined;
}

interface Row {
  collectionPk: number;
  id: string;
  sortValue: number;
  zstd: Buffer;
}

type Parameters = (string | number)[];

/** Finds the Items that a compiled query matches, in its order. */
export class Candidates {
  readonly #database: Database;
  readonly #keys: CollectionKeys;

  constructor(database: Database, keys: CollectionKeys) {
    this.#database = database;
    this.#keys = keys;
  }

  /** How many Items meet the conditions that SQL can decide. */
  count(compiled: CompiledQuery): number {
    const source = this.#chooseSource(compiled, '');
    const parameters = [...source.parameters, ...parametersOf(compiled.conditions)];
    return this.#countRows(`SELECT count(*) FROM ${source.sql} ${toWhere(compiled.conditions)}`, parameters);
  }

  /**
   * Walks the matching Items batch by batch. Each batch goes on after the last Item of the one before, so the walk
   * holds no statement open and the library can be written to meanwhile.
   */
  async *walk(compiled: CompiledQuery, { after, limit, signal }: WalkOptions): AsyncGenerator<Match> {
    const idByPk = new Map(this.#keys.all().map(({ pk, id }) => [pk, id]));
    const source = this.#chooseSource(compiled, chooseIndex(compiled));
    const size = compiled.tests.length === 0 ? Math.min(batchSize, limit) : batchSize;
    const shapes = shapesOf(this.#database);
    let position = after;
    for (;;) {
      const rows = this.#selectBatch(compiled, source, { position, size });
      for (const row of rows) {
        const ref = { collectionId: idByPk.get(row.collectionPk) ?? '', itemId: row.id };
        position = { sortValue: row.sortValue, ...ref };
        const item = unpackItem(row.zstd, shapes);
        if (compiled.tests.every((test) => test(row.collectionPk, item))) yield { ref, item, position };
      }
      if (rows.length < size) return;
      await setImmediate(undefined, { signal });
    }
  }

  #selectBatch(
    compiled: CompiledQuery,
    source: { sql: string; parameters: Parameters },
    { position, size }: { position: PagePosition | null; size: number },
  ): Row[] {
    const conditions = [...compiled.conditions, ...this.#afterConditions(compiled, position)];
    const sql = `SELECT item.collection_pk AS collectionPk, item.id, ${compiled.order.column} AS sortValue, zstd
      FROM ${source.sql} CROSS JOIN item_json ON item_json.item_pk = item.pk
      ${toWhere(conditions)} ${toOrderBy(compiled.order)} LIMIT ${size}`;
    const parameters = [...source.parameters, ...parametersOf(conditions)];
    return this.#database.prepare<Parameters, Row>(sql).all(...parameters);
  }

  #afterConditions(compiled: CompiledQuery, position: PagePosition | null): SqlCondition[] {
    if (!position) return [];
    const collectionPk = this.#keys.findKey(position.collectionId) ?? Number.MAX_SAFE_INTEGER;
    return [afterCondition(compiled.order, position, collectionPk)];
  }

  // The planner has no statistics of an R*Tree and chooses wrongly (design.md §5), so the choice is made here.
  #chooseSource(compiled: CompiledQuery, index: string): { sql: string; parameters: Parameters } {
    const boxes = compiled.area?.boxes ?? [];
    if (boxes.length > 0) {
      const { sql, parameters } = selectCandidates(boxes);
      const counting = `SELECT count(*) FROM (SELECT 1 FROM (${sql}) LIMIT ${maxSortedCandidates + 1})`;
      if (this.#countRows(counting, parameters) <= maxSortedCandidates) {
        return { sql: `(${sql}) AS candidate CROSS JOIN item ON item.pk = candidate.pk`, parameters };
      }
    }
    return { sql: `item${index}`, parameters: [] };
  }

  #countRows(sql: string, parameters: Parameters): number {
    const statement = this.#database.prepare<Parameters, number>(sql).pluck();
    return statement.get(...parameters) ?? 0;
  }
}

// Few ids are found by their index; one collection has an index in the default order; else the order's own index leads.
function chooseIndex({ hasIds, order, hasOneCollection }: CompiledQuery): string {
  if (hasIds) return ' INDEXED BY item_by_id';
  if (order.column === 'item.cloud_cover') return ' INDEXED BY item_by_cloud_cover';
  return hasOneCollection ? ' INDEXED BY item_by_collection_time' : ' INDEXED BY item_by_time';
}

function parametersOf(conditions: readonly SqlCondition[]): Parameters {
  return conditions.flatMap(({ parameters }) => parameters);
}

function toWhere(conditions: readonly SqlCondition[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}`;
}
