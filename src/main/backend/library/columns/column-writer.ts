import type { Database } from 'better-sqlite3';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { StacItem } from '#shared/stac/item.ts';
import { shapesOf, unpackItem, type ShapeSource } from '../item-json.ts';
import { BlockBuilder } from './block-builder.ts';
import { blockBits, blockSize } from './column-chunk.ts';
import { cellOf } from '../map-cell.ts';
import { boxIfAstray } from './footprint-place.ts';

/** Columns of a library. Properties beyond them are looked up in the Items. */
const maxColumns = 400;
/** Items read and taken apart in one step of catching up. */
const itemsPerStep = 50;

/** Where the chunk of a column and a block is. */
export function chunkKey(columnPk: number, block: number): number {
  return columnPk * 2 ** 32 + block;
}

/** How far to go. */
export interface FoldOptions {
  maxMs: number;
  wholeBlocksOnly: boolean;
}

/** A block whose Items are put one by one, from its first. */
export interface GatheredBlock {
  readonly block: number;
  readonly builder: BlockBuilder;
  /** As it was written last; 0 before. */
  version: number;
  /** The last Item that was put. */
  lastPk: number;
}

/** What is written of a block. */
interface WrittenBlock {
  chunks: Map<string, Buffer | null>;
  coveredPk: number;
  /** Changes of its Items that are in the chunks: those with this number, and with lower ones. */
  staleNumber: number;
  isOverflowing: boolean;
  /** Items that an older program filed by their box alone. */
  astray: readonly { pk: number; box: Bbox }[];
}

interface ItemRow {
  pk: number;
  collectionPk: number;
  zstd: Buffer;
}

/**
 * Writes the columns of a library. They may lag behind: an Item that isn't in them yet, or changed since, is looked up
 * by those who read. So nothing is lost when the program ends at any moment.
 */
export class ColumnWriter {
  readonly #database: Database;
  readonly #columnPks = new Map<string, number>();
  readonly #statements;
  #begun: { steps: Generator<void, void>; wholeBlocksOnly: boolean } | null = null;
  #gathered: GatheredBlock | null = null;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepareStatements(database);
  }

  /**
   * Brings the columns nearer to date for some milliseconds; whether nothing is left to do. `wholeBlocksOnly` leaves the
   * last Items and those that changed to a time when no more are coming.
   */
  foldFor({ maxMs, wholeBlocksOnly }: FoldOptions): boolean {
    const endMs = performance.now() + maxMs;
    const begun = (this.#begun ??= { steps: this.catchUp({ wholeBlocksOnly }), wholeBlocksOnly });
    try {
      while (performance.now() < endMs) {
        if (!begun.steps.next().done) continue;
        this.#begun = null;
        // Somebody may have begun with less than what is asked for now.
        return wholeBlocksOnly || !begun.wholeBlocksOnly;
      }
      return false;
    } catch (thrown) {
      this.#begun = null;
      throw thrown;
    }
  }

  /**
   * Brings the columns up to date, step by step of a few milliseconds each; other things may be written between them.
   * Ends when nothing was left to do.
   */
  *catchUp({ wholeBlocksOnly }: Pick<FoldOptions, 'wholeBlocksOnly'>): Generator<void, void> {
    for (;;) {
      const block = this.#findBlockToWrite(wholeBlocksOnly);
      if (block === null) return;
      const gathered = this.#gathered?.block === block ? this.#gathered : null;
      const coveredPk = this.#statements.coveredPkOf.get(block) ?? -1;
      const isMore = gathered && coveredPk < gathered.lastPk;
      if (isMore && this.#writeGathered(gathered, gathered.lastPk)) yield;
      else yield* this.#rebuild(block);
    }
  }

  /** The last Item that the columns may tell of; what is added may get its number or a lower one, if it was evicted. */
  lastCoveredPk(): number {
    return this.#statements.lastCoveredPk.get() ?? -1;
  }

  /** Has an Item looked up until its block is written again. */
  noteStale(pk: number): void {
    this.#statements.noteStale.run(pk);
  }

  /** Begins a block without Items: what changes of them from here on is noted. */
  beginBlock(block: number): GatheredBlock {
    const beforePk = block * blockSize - 1;
    this.#statements.announceBlock.run(block, beforePk);
    const builder = new BlockBuilder((name) => this.#columnPkOf(name) !== null);
    return (this.#gathered = { block, builder, version: 0, lastPk: beforePk });
  }

  /** Writes a block of which all Items were put, unless it was read again meanwhile, or isn't full after all. */
  finishBlock(gathered: GatheredBlock): void {
    const last = this.#statements.lastPk.get() ?? 0;
    const endPk = (gathered.block + 1) * blockSize;
    if (last >= endPk && gathered.lastPk === endPk - 1) this.#writeGathered(gathered, endPk - 1);
    this.forgetBlock();
  }

  /** Lets go of the block that was begun. */
  forgetBlock(): void {
    this.#gathered = null;
  }

  // What changed since its Items were put stays noted.
  #writeGathered(gathered: GatheredBlock, coveredPk: number): boolean {
    const { block, builder, version } = gathered;
    const isWritten = this.#write(block, version, () => {
      const { isOverflowing } = builder;
      return { coveredPk, staleNumber: 0, isOverflowing, astray: [], chunks: builder.encode() };
    });
    gathered.version = this.#statements.versionOf.get(block) ?? 0;
    return isWritten;
  }

  // A block with Items that are not covered; else one with Items that changed.
  #findBlockToWrite(wholeBlocksOnly: boolean): number | null {
    const { lastPk, blocks, staleBlock } = this.#statements;
    const last = lastPk.get() ?? null;
    if (last !== null) {
      const coveredPks = new Map(blocks.all().map(({ block, coveredPk }) => [block, coveredPk]));
      for (let block = 0; block <= last >> blockBits; block++) {
        const end = (block + 1) * blockSize - 1;
        if (wholeBlocksOnly && end > last) return null;
        if ((coveredPks.get(block) ?? -1) < Math.min(last, end)) return block;
      }
    }
    return wholeBlocksOnly ? null : (staleBlock.get() ?? null);
  }

  *#rebuild(block: number): Generator<void, void> {
    const { lastStale, itemsFrom, announceBlock, versionOf } = this.#statements;
    // From here on the changes of its Items are noted.
    announceBlock.run(block, block * blockSize - 1);
    const version = versionOf.get(block) ?? 0;
    const staleNumber = lastStale.get(block * blockSize, (block + 1) * blockSize) ?? 0;
    const builder = new BlockBuilder((name) => this.#columnPkOf(name) !== null);
    const astray: { pk: number; box: Bbox }[] = [];
    const endPk = (block + 1) * blockSize;
    const shapes = shapesOf(this.#database);
    let pk = block * blockSize - 1;
    for (;;) {
      const rows = itemsFrom.all(pk, endPk, itemsPerStep);
      for (const { pk: rowPk, collectionPk, zstd } of rows) {
        pk = rowPk;
        const item = tryToUnpack(zstd, shapes);
        if (!item) continue;
        builder.put({ pk: rowPk, collectionPk, item });
        const box = boxIfAstray(item);
        if (box) astray.push({ pk: rowPk, box });
      }
      if (rows.length < itemsPerStep) break;
      yield;
    }
    // Whatever comes later in this block will be found uncovered; a whole block has no later Item.
    const last = this.#statements.lastPk.get() ?? -1;
    const coveredPk = last >= endPk ? endPk - 1 : pk;
    yield;
    const chunks = builder.encode();
    const { isOverflowing } = builder;
    this.#write(block, version, () => ({ chunks, coveredPk, staleNumber, isOverflowing, astray }));
    yield;
  }

  // Nothing where another program wrote the block meanwhile: what it has, and what is noted, fits its state alone.
  #write(block: number, version: number, toWritten: () => WrittenBlock): boolean {
    const { versionOf, names, clearBlock, saveChunk, saveBlock, forgetStale, file } = this.#statements;
    const write = this.#database.transaction(() => {
      if (versionOf.get(block) !== version) return false;
      const { chunks, coveredPk, staleNumber, isOverflowing, astray } = toWritten();
      for (const { pk } of names.all()) clearBlock.run(chunkKey(pk, block));
      for (const [name, chunk] of chunks) {
        const columnPk = chunk && this.#columnPkOf(name);
        if (columnPk !== null) saveChunk.run(chunkKey(columnPk, block), chunk);
      }
      saveBlock.run({ block, coveredPk, isOverflowing: Number(isOverflowing) });
      forgetStale.run(staleNumber, block * blockSize, (block + 1) * blockSize);
      for (const { pk, box } of astray) file.run(cellOf(box), pk);
      return true;
    });
    return write.immediate();
  }

  #columnPkOf(name: string): number | null {
    const known = this.#columnPks.get(name);
    if (known !== undefined) return known;
    const { names, addName } = this.#statements;
    const all = names.all();
    const found = all.find((column) => column.name === name)?.pk;
    const pk = found ?? (all.length < maxColumns ? addName.get(name) : undefined);
    if (pk === undefined) return null;
    // Remembered only once it is committed.
    if (!this.#database.inTransaction) this.#columnPks.set(name, pk);
    return pk;
  }
}

// An Item that is damaged is found by no question; the check of the library tells of it.
function tryToUnpack(zstd: Buffer, shapes: ShapeSource): StacItem | null {
  try {
    return unpackItem(zstd, shapes);
  } catch {
    return null;
  }
}

function prepareStatements(database: Database) {
  return {
    lastPk: database.prepare<[], number | null>('SELECT max(pk) FROM item').pluck(),
    blocks: database.prepare<[], { block: number; coveredPk: number }>(
      'SELECT block, covered_pk AS coveredPk FROM column_block',
    ),
    staleBlock: database
      .prepare<[], number>(`SELECT item_pk >> ${blockBits} FROM column_stale ORDER BY number LIMIT 1`)
      .pluck(),
    coveredPkOf: database
      .prepare<[number], number>('SELECT covered_pk FROM column_block WHERE block = ?')
      .pluck(),
    lastCoveredPk: database
      .prepare<[], number>('SELECT covered_pk FROM column_block ORDER BY block DESC LIMIT 1')
      .pluck(),
    noteStale: database.prepare<[number]>('INSERT INTO column_stale (item_pk) VALUES (?)'),
    versionOf: database.prepare<[number], number>('SELECT version FROM column_block WHERE block = ?').pluck(),
    // Of one block: the numbers of others may be given again meanwhile.
    lastStale: database
      .prepare<[number, number], number | null>(
        'SELECT max(number) FROM column_stale WHERE item_pk >= ? AND item_pk < ?',
      )
      .pluck(),
    itemsFrom: database.prepare<[number, number, number], ItemRow>(
      `SELECT pk, collection_pk AS collectionPk, zstd FROM item JOIN item_json ON item_pk = pk
       WHERE pk > ? AND pk < ? ORDER BY pk LIMIT ?`,
    ),
    names: database.prepare<[], { pk: number; name: string }>('SELECT pk, name FROM column_name'),
    // Another program may have added it since it was looked for.
    addName: database
      .prepare<[string], number>(
        'INSERT INTO column_name (name) VALUES (?) ON CONFLICT DO UPDATE SET name = name RETURNING pk',
      )
      .pluck(),
    clearBlock: database.prepare<[number]>('DELETE FROM column_chunk WHERE key = ?'),
    saveChunk: database.prepare<[number, Buffer | null]>(
      'INSERT INTO column_chunk (key, chunk) VALUES (?, ?)',
    ),
    announceBlock: database.prepare<[number, number]>(
      'INSERT OR IGNORE INTO column_block (block, covered_pk, version, is_overflowing) VALUES (?, ?, 0, 0)',
    ),
    saveBlock: database.prepare(
      `INSERT OR REPLACE INTO column_block (block, covered_pk, version, is_overflowing)
       VALUES (:block, :coveredPk, (SELECT coalesce(max(version), 0) + 1 FROM column_block), :isOverflowing)`,
    ),
    forgetStale: database.prepare<[number, number, number]>(
      'DELETE FROM column_stale WHERE number <= ? AND item_pk >= ? AND item_pk < ?',
    ),
    file: database.prepare<[number, number]>('UPDATE item SET cell = ? WHERE pk = ?'),
  };
}
