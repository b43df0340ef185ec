import { expect, it } from 'vitest';
import {
  blockSize,
  createValuePool,
  firstCode,
  hashText,
  lookAtItem,
  noValue,
  type ColumnChunk,
} from '../columns/column-chunk.ts';
import { gatherColumns } from './gather-columns.ts';
import type { BlockColumns } from './term.ts';

const pool = createValuePool();

// The first slots of a block, of which the others have no value.
function dictionary(...values: Parameters<typeof pool.place>[0][]): ColumnChunk {
  const codes = new Uint8Array(blockSize);
  values.forEach((_, slot) => (codes[slot] = slot + firstCode));
  return {
    kind: 'dictionary',
    codes,
    places: Uint32Array.from(values, (value) => pool.place(value)),
    pool,
    addedCount: 0,
  };
}

function hashes(...texts: string[]): ColumnChunk {
  const all = new Uint32Array(blockSize);
  texts.forEach((text, slot) => (all[slot] = hashText(text)));
  return { kind: 'hashes', hashes: all };
}

function block(chunk: ColumnChunk): BlockColumns {
  return { column: () => chunk, footprints: () => null, isOverflowing: false };
}

it('looks up no text that one block keeps as a hash and another in a dictionary', () => {
  const blocks = new Map([
    [0, block(hashes('rare', 'rarer'))],
    [1, block(dictionary('common', 'rare', 5, '2026-01-01T00:00:00Z'))],
  ]);
  const pks = [1, blockSize, blockSize + 1, blockSize + 2, blockSize + 3, blockSize + 4];
  const gathered = gatherColumns(pks, blocks).column('some');
  expect(gathered?.kind === 'hashes' && [...gathered.hashes.subarray(0, 7)]).toEqual([
    hashText('rarer'),
    hashText('common'),
    hashText('rare'),
    // What is no text, and what may be written in two ways, only the Item tells.
    lookAtItem,
    lookAtItem,
    noValue,
    noValue,
  ]);
});
