import {
  blockBits,
  blockSize,
  createValuePool,
  firstCode,
  formatMicros,
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
type ByBlock<Chunk> = readonly (Chunk | null | undefined)[];

/**
 * Brings the columns of Items from many blocks together, as if these Items were a block: the first in slot 0, and so on.
 * A column is gathered when it is first asked for. `columnsOf` must know each block that one of the Items is in.
 */
export function gatherColumns(
  pks: readonly number[],
  columnsOf: (block: number) => BlockColumns,
): BlockColumns {
  const blocks = [...new Set(pks.map((pk) => pk >> blockBits))].map((block) => ({
    block,
    columns: columnsOf(block),
  }));
  const readAll = <Chunk>(read: (columns: BlockColumns) => Chunk): Chunk[] => {
    const byBlock: Chunk[] = [];
    for (const { block, columns } of blocks) byBlock[block] = read(columns);
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
    isOverflowing: blocks.some(({ columns }) => columns.isOverflowing),
  };
}

/** The values of some Items, by their places in the list, out of the chunks of their blocks; null where none has a value. */
export function gatherChunk(pks: readonly number[], chunks: ByBlock<ColumnChunk>): ColumnChunk | null {
  const [first] = chunks.filter((chunk) => chunk);
  if (!first) return null;
  if (areAll(chunks, 'numbers')) return { kind: 'numbers', values: gatherNumbers(pks, chunks), scale: 1 };
  if (areAll(chunks, 'hashes')) return { kind: 'hashes', hashes: gatherHashes(pks, chunks) };
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

function gatherHashes(pks: readonly number[], chunks: ByBlock<ChunkOf<'hashes'>>): Uint32Array {
  const hashes = new Uint32Array(blockSize);
  pks.forEach((pk, place) => (hashes[place] = chunks[pk >> blockBits]?.hashes[pk % blockSize] ?? noValue));
  return hashes;
}

// What one block keeps as numbers, another may have as a dictionary. All kinds but hashes give their values back.
function gatherValues(pks: readonly number[], chunks: ByBlock<ColumnChunk>): DictionaryChunk {
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

function createValueReader(chunk: ColumnChunk): (slot: number) => DictionaryValue | typeof unkept | null {
  switch (chunk.kind) {
    case 'dictionary': {
      const { codes, places, pool } = chunk;
      return (slot) => {
        const code = codes[slot] ?? noValue;
        return code === lookAtItem ? unkept : (pool.values[places[code - firstCode] ?? -1] ?? null);
      };
    }
    case 'hashes':
      return (slot) => (chunk.hashes[slot] === noValue ? null : unkept);
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
