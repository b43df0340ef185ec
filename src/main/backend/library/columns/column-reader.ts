import type { Database } from 'better-sqlite3';
import {
  blockBits,
  blockSize,
  chunkBytes,
  createValuePool,
  type ColumnChunk,
  type ValuePool,
} from './column-chunk.ts';
import { builtIn, propertyOfColumn } from './column-names.ts';
import { chunkKey } from './column-writer.ts';
import { decodeChunk, giveBack } from './decode-chunk.ts';
import { readStored } from '../read-stored.ts';
import { decodeFootprints, type FootprintChunk } from './footprint-chunk.ts';

/** What the columns cover at a moment. Everything else has to be looked up in the Items. */
export interface Coverage {
  /** By block; a block that isn't written has none. */
  blocks: ReadonlyMap<number, CoveredBlock>;
  /** Items that changed since their block was written. */
  stale: ReadonlySet<number>;
  /** The last Item, -1 when there is none. */
  lastPk: number;
}

/** What is written of a block. */
export interface CoveredBlock {
  coveredPk: number;
  version: number;
  /** Whether a property of its Items may have no column. */
  isOverflowing: boolean;
}

/** Row numbers, both included, beside `stale`, that hold the Items which are not covered. */
export function uncoveredRanges({ blocks, lastPk }: Coverage): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (let block = 0; block <= lastPk >> blockBits; block++) {
    // Row numbers begin with 1.
    const from = Math.max(1, (blocks.get(block)?.coveredPk ?? block * blockSize - 1) + 1);
    const to = Math.min(lastPk, (block + 1) * blockSize - 1);
    if (from <= to) ranges.push({ from, to });
  }
  return ranges;
}

/** A pool with more values than this is let go; the chunks that refer to it keep it as long as they are there. */
const maxPooled = 200_000;

/** Whether Items aren't in the columns, or aren't as they are there. */
export function hasUncovered(database: Database): boolean {
  const coverage = new ColumnReader(database, { maxBytes: 0 }).coverage();
  return coverage.stale.size > 0 || uncoveredRanges(coverage).length > 0;
}

/** Of so many old chunks one goes before the others. */
const oldOnesEach = 4;

type Chunk = ColumnChunk | FootprintChunk | null;

interface CachedChunk {
  chunk: Chunk;
  version: number;
  bytes: number;
  /** Grows with each use. */
  usedAt: number;
}

/** Reads columns, and keeps those that were used last. */
export class ColumnReader {
  readonly #statements;
  readonly #maxBytes: number;
  /** By column, then by block. */
  readonly #cache = new Map<string, (CachedChunk | undefined)[]>();
  #uses = 0;
  readonly #pools = new Map<string, ValuePool>();
  #bytes = 0;
  #columnPks = new Map<string, number>();
  #coverage: Coverage = { blocks: new Map(), stale: new Set(), lastPk: -1 };
  #coverageKey = '';

  /** `maxBytes`: about how much memory the chunks may take that are kept. */
  constructor(database: Database, { maxBytes }: { maxBytes: number }) {
    this.#maxBytes = maxBytes;
    const statements = {
      state: database.prepare<
        [],
        { lastPk: number; version: number; lastStale: number; staleCount: number; lastColumn: number }
      >(
        `SELECT (SELECT coalesce(max(pk), -1) FROM item) AS lastPk,
           (SELECT coalesce(sum(version), 0) FROM column_block) AS version,
           (SELECT coalesce(max(number), 0) FROM column_stale) AS lastStale,
           (SELECT count(*) FROM column_stale) AS staleCount,
           (SELECT coalesce(max(pk), 0) FROM column_name) AS lastColumn`,
      ),
      blocks: database.prepare<
        [],
        { block: number; coveredPk: number; version: number; isOverflowing: number }
      >(`SELECT block, covered_pk AS coveredPk, version, is_overflowing AS isOverflowing FROM column_block`),
      stale: database.prepare<[], number>('SELECT item_pk FROM column_stale').pluck(),
      names: database.prepare<[], { pk: number; name: string }>('SELECT pk, name FROM column_name'),
      chunk: database.prepare<[number], Buffer>('SELECT chunk FROM column_chunk WHERE key = ?').pluck(),
    };
    this.#statements = { ...statements, load: database.transaction(() => this.#loadCoverage()) };
  }

  /** What the columns cover now. */
  coverage(): Coverage {
    this.#statements.load();
    return this.#coverage;
  }

  /** Properties that have a column. */
  properties(): string[] {
    return [...this.#columnPks.keys()].flatMap((name) => propertyOfColumn(name) ?? []);
  }

  /** A column of a block; null where none of its Items has a value, unless the block is overflowing. */
  column(name: string, block: number): ColumnChunk | null {
    return this.#read(name, block, (stored) =>
      decodeChunk(stored, { blockTimes: () => this.#timesOf(block), pool: () => this.#poolOf(name) }),
    ) as ColumnChunk | null;
  }

  /** The footprints of a block. */
  footprints(block: number): FootprintChunk | null {
    return this.#read(builtIn.footprint, block, decodeFootprints) as FootprintChunk | null;
  }

  #poolOf(name: string): ValuePool {
    let pool = this.#pools.get(name);
    if (!pool || pool.values.length > maxPooled) this.#pools.set(name, (pool = createValuePool()));
    return pool;
  }

  #timesOf(block: number): Float64Array {
    const chunk = this.column(builtIn.datetime, block);
    return chunk?.kind === 'times' ? chunk.values : new Float64Array(blockSize).fill(NaN);
  }

  #read(name: string, block: number, decode: (stored: Buffer) => Chunk): Chunk {
    const version = this.#coverage.blocks.get(block)?.version;
    if (version === undefined) return null;
    const cached = this.#cache.get(name)?.[block];
    if (cached?.version === version) {
      cached.usedAt = ++this.#uses;
      return cached.chunk;
    }
    const columnPk = this.#columnPks.get(name);
    if (columnPk === undefined) return null;
    const stored = this.#statements.chunk.get(chunkKey(columnPk, block));
    const chunk = stored === undefined ? null : readStored('What items are found by', () => decode(stored));
    if (stored) giveBack(stored);
    this.#keep({ name, block }, { chunk, version, bytes: bytesOf(chunk), usedAt: ++this.#uses });
    return chunk;
  }

  #keep({ name, block }: { name: string; block: number }, entry: CachedChunk): void {
    let chunks = this.#cache.get(name);
    if (!chunks) this.#cache.set(name, (chunks = []));
    this.#bytes += entry.bytes - (chunks[block]?.bytes ?? 0);
    chunks[block] = entry;
    if (this.#bytes <= this.#maxBytes) return;
    this.#makeRoom();
    this.#forgetPools();
  }

  // More than is needed at once, because those used last have to be found. Of the old ones only every fourth goes: a
  // question goes through all blocks again and again, and were the oldest to go, each would be gone just before its turn.
  #makeRoom(): void {
    const oldestFirst = [...this.#cache.values()]
      .flatMap((chunks) => chunks.flatMap((cached, block) => (cached ? { chunks, block, cached } : [])))
      .sort((a, b) => a.cached.usedAt - b.cached.usedAt);
    for (let first = 0; first < oldOnesEach; first++) {
      for (const { chunks, block, cached } of oldestFirst.filter(
        (_, index) => index % oldOnesEach === first,
      )) {
        if (this.#bytes <= this.#maxBytes * 0.9) return;
        chunks[block] = undefined;
        this.#bytes -= cached.bytes;
      }
    }
  }

  // A pool goes with the last chunk that refers to it.
  #forgetPools(): void {
    const used = new Set<ValuePool>();
    for (const cached of [...this.#cache.values()].flat())
      if (cached?.chunk && 'pool' in cached.chunk) used.add(cached.chunk.pool);
    for (const [name, pool] of this.#pools) if (!used.has(pool)) this.#pools.delete(name);
  }

  #loadCoverage(): void {
    const { state, blocks, stale, names } = this.#statements;
    const now = state.get();
    const key = JSON.stringify(now);
    if (!now || key === this.#coverageKey) return;
    this.#coverageKey = key;
    this.#columnPks = new Map(names.all().map(({ pk, name }) => [name, pk]));
    this.#coverage = {
      lastPk: now.lastPk,
      stale: new Set(stale.all()),
      blocks: new Map(
        blocks
          .all()
          .map(({ block, isOverflowing, ...covered }) => [
            block,
            { ...covered, isOverflowing: isOverflowing === 1 },
          ]),
      ),
    };
  }
}

function bytesOf(chunk: Chunk): number {
  if (chunk === null) return 100;
  if ('kinds' in chunk)
    return 200 + chunk.kinds.byteLength + chunk.starts.byteLength + chunk.corners.byteLength;
  return chunkBytes(chunk);
}
