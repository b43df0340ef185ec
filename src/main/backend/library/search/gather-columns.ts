import {
  blockBits,
  blockSize,
  createValuePool,
  firstCode,
  formatMicros,
  hashUnlessTime,
  lookAtItem,
  noValue,
  type ColumnChunk,
  type DictionaryChunk,
  type DictionaryValue,
} from '../columns/column-chunk.ts';
import { footprintKinds, type FootprintChunk } from '../columns/footprint-chunk.ts';
import { createNumberReader } from './number-reader.ts';
import type { BlockColumns } from './term.ts';

type ChunkOf<Kind extends ColumnChunk['kind']> = Extract<ColumnChunk, { kind: Kind }>;
type ValueChunk = Exclude<ColumnChunk, ChunkOf<'hashes'>>;
type ByBlock<Chunk> = readonly (Chunk | null | undefined)[];

/**
 * Brings the columns of Items from many blocks together, as if these Items were a block: the first in slot 0, and so on.
 * A column is gathered when it is first asked for, and `blocks` are kept until then.
 */
export function gatherColumns(
  pks: readonly number[],
  blocks: ReadonlyMap<number, BlockColumns>,
): BlockColumns {
  const readAll = <Chunk>(read: (columns: BlockColumns) => Chunk): Chunk[] => {
    const byBlock: Chunk[] = [];
    for (const [block, columns] of blocks) byBlock[block] = read(columns);
    return byBlock;
  };
  const known = new Map<string, ColumnChunk | null>();
  let footprints: FootprintChunk | null | undefined;
  return {
    column(name) {
      let chunk = known.get(name);
      if (chunk === undefined) {
        chunk = gatherChunk(
          pks,
          readAll((columns) => columns.column(name)),
        );
        known.set(name, chunk);
      }
      return chunk;
    },
    footprints: () =>
      (footprints ??= gatherFootprints(
        pks,
        readAll((columns) => columns.footprints()),
      )),
    isOverflowing: [...blocks.values()].some(({ isOverflowing }) => isOverflowing),
  };
}

/** The values of some Items, by their places in the list, out of the chunks of their blocks; null where none has a value. */
function gatherChunk(pks: readonly number[], chunks: ByBlock<ColumnChunk>): ColumnChunk | null {
  const [first] = chunks.filter((chunk) => chunk);
  if (!first) return null;
  if (areAll(chunks, 'numbers')) return { kind: 'numbers', values: gatherNumbers(pks, chunks), scale: 1 };
  if (!chunks.every(givesValues)) return { kind: 'hashes', hashes: gatherHashes(pks, chunks) };
  if (first.kind === 'times' && areAll(chunks, 'times')) {
    const { digits } = first;
    if (chunks.every((chunk) => !chunk || chunk.digits === digits))
      return { kind: 'times', values: gatherNumbers(pks, chunks), digits, isShared: false };
  }
  return gatherValues(pks, chunks);
}

function areAll<Kind extends ColumnChunk['kind']>(
  chunks: ByBlock<ColumnChunk>,
  kind: Kind,
): chunks is ByBlock<ChunkOf<Kind>> {
  return chunks.every((chunk) => !chunk || chunk.kind === kind);
}

function gatherNumbers(pks: readonly number[], chunks: ByBlock<ColumnChunk>): Float64Array {
  const readers = chunks.map((chunk) => (chunk ? createNumberReader(chunk) : null));
  const values = new Float64Array(blockSize).fill(NaN);
  pks.forEach((pk, place) => (values[place] = readers[pk >> blockBits]?.(pk % blockSize) ?? NaN));
  return values;
}

function givesValues(chunk: ColumnChunk | null | undefined): chunk is ValueChunk | null | undefined {
  return chunk?.kind !== 'hashes';
}

// Hashes give no value back, but any text has one. Every other value is looked up in the Item.
function gatherHashes(pks: readonly number[], chunks: ByBlock<ColumnChunk>): Uint32Array {
  const readers = chunks.map((chunk) => (chunk ? createHashReader(chunk) : null));
  const hashes = new Uint32Array(blockSize);
  pks.forEach((pk, place) => (hashes[place] = readers[pk >> blockBits]?.(pk % blockSize) ?? noValue));
  return hashes;
}

function createHashReader(chunk: ColumnChunk): (slot: number) => number {
  if (chunk.kind === 'hashes') return (slot) => chunk.hashes[slot] ?? noValue;
  const read = createValueReader(chunk);
  return (slot) => {
    const value = read(slot);
    if (value === null) return noValue;
    return typeof value === 'string' ? hashUnlessTime(value) : lookAtItem;
  };
}

// What one block keeps as numbers, another may have as a dictionary.
function gatherValues(pks: readonly number[], chunks: ByBlock<ValueChunk>): DictionaryChunk {
  const pool = createValuePool();
  const readers = chunks.map((chunk) => (chunk ? createValueReader(chunk) : null));
  const codes = new Uint16Array(blockSize);
  pks.forEach((pk, place) => {
    const value = readers[pk >> blockBits]?.(pk % blockSize) ?? null;
    if (value === null) codes[place] = noValue;
    else codes[place] = value === unkept ? lookAtItem : pool.place(value) + firstCode;
  });
  const places = Uint32Array.from(pool.values.keys());
  return { kind: 'dictionary', codes, places, pool, addedCount: pool.values.length };
}

/** Stands for a value that only the Item tells. */
const unkept = Symbol('unkept');

function createValueReader(chunk: ValueChunk): (slot: number) => DictionaryValue | typeof unkept | null {
  switch (chunk.kind) {
    case 'dictionary': {
      const { codes, places, pool } = chunk;
      return (slot) => {
        const code = codes[slot] ?? noValue;
        return code === lookAtItem ? unkept : (pool.values[places[code - firstCode] ?? -1] ?? null);
      };
    }
    case 'times':
    case 'numbers': {
      const read = createNumberReader(chunk);
      const toValue = (value: number) => (chunk.kind === 'times' ? formatMicros(value, chunk.digits) : value);
      return (slot) => {
        const value = read(slot);
        return value === value ? toValue(value) : null;
      };
    }
  }
}

function gatherFootprints(pks: readonly number[], chunks: ByBlock<FootprintChunk>): FootprintChunk | null {
  if (!chunks.some((chunk) => chunk)) return null;
  const kinds = new Uint8Array(blockSize);
  const starts = new Uint32Array(blockSize);
  let length = 0;
  pks.forEach((pk, place) => {
    const kind = chunks[pk >> blockBits]?.kinds[pk % blockSize] ?? footprintKinds.none;
    kinds[place] = kind;
    starts[place] = length;
    if (kind >= footprintKinds.firstRing) length += 2 * kind;
  });
  const corners = new Uint16Array(length);
  pks.forEach((pk, place) => {
    const chunk = chunks[pk >> blockBits];
    const kind = kinds[place] ?? footprintKinds.none;
    if (!chunk || kind < footprintKinds.firstRing) return;
    const start = chunk.starts[pk % blockSize] ?? 0;
    // By hand: a view for each takes longer than the few corners.
    const to = starts[place] ?? 0;
    for (let index = 0; index < 2 * kind; index++) corners[to + index] = chunk.corners[start + index] ?? 0;
  });
  return { kinds, hasAstray: kinds.includes(footprintKinds.astray), starts, corners };
}
