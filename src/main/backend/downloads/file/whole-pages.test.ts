import { describe, expect, it } from 'vitest';
import { allocatePages } from '../../http/bulk/pages.ts';
import { beforeWholePages, joinNeighbours, wholePages } from './whole-pages.ts';

const page = 4096;
const memory = allocatePages(8 * page);
const other = allocatePages(8 * page);
const at = (offset: number, length: number, of: SharedArrayBuffer = memory) =>
  new Uint8Array(of, offset, length);
const places = (buffers: readonly Uint8Array[]) =>
  buffers.map(({ byteOffset, length }) => [byteOffset, length]);

describe('whole pages', () => {
  it.each([
    ['all of it', [at(0, 2 * page)], page, [[0, 2 * page]]],
    ['without what is less than one', [at(page, 2 * page + 7)], 0, [[page, 2 * page]]],
    ['none that is one only in memory', [at(0, page)], 100, []],
    ['none that is one only in the file', [at(100, 3 * page)], 0, []],
    ['none of less than one', [at(0, page - 1)], 0, []],
    [
      'of several buffers',
      [at(0, page), at(page, 2 * page, other)],
      page,
      [
        [0, page],
        [page, 2 * page],
      ],
    ],
    ['up to a gap in memory', [at(0, page + 1), at(page + 1, page, other)], 0, [[0, page]]],
    ['none of memory that begins anywhere', [new Uint8Array(4 * page)], 0, []],
  ])('are %s', (_, buffers, position, expected) => {
    expect(places(wholePages(buffers, position))).toEqual(expected);
  });

  it.each([
    ['what comes before the first', [at(100, 3 * page)], 100, [[100, page - 100]]],
    ['all where there are none', [at(50, 3 * page)], 100, [[50, 3 * page]]],
    ['all where none is left', [at(100, page)], 100, [[100, page]]],
  ])('leave %s to the cache', (_, buffers, position, expected) => {
    expect(places(beforeWholePages(buffers, position))).toEqual(expected);
  });
});

it('joins what lies side by side, and nothing else', () => {
  const buffers = [at(0, 10), at(10, 10), at(30, 10), at(40, 10, other), at(50, 10, other)];
  expect(places(joinNeighbours(buffers))).toEqual([
    [0, 20],
    [30, 10],
    [40, 20],
  ]);
});
