import { describe, expect, it } from 'vitest';
import { readByteRange } from './byte-range.ts';

const tenGigabytes = 10_000_000_000;

describe('a byte range', () => {
  it.each<[string | undefined, number, ReturnType<typeof readByteRange>]>([
    [undefined, 100, 'whole'],
    ['bytes=0-0', 100, { start: 0, end: 1 }],
    ['bytes=0-99', 100, { start: 0, end: 100 }],
    ['bytes=10-19', 100, { start: 10, end: 20 }],
    ['bytes=10-', 100, { start: 10, end: 100 }],
    ['bytes=99-', 100, { start: 99, end: 100 }],
    ['bytes=90-1000', 100, { start: 90, end: 100 }],
    ['bytes=-10', 100, { start: 90, end: 100 }],
    ['bytes=-1000', 100, { start: 0, end: 100 }],
    ['Bytes=0-9', 100, { start: 0, end: 10 }],
    ['bytes=9999999998-9999999999', tenGigabytes, { start: 9_999_999_998, end: tenGigabytes }],
    ['bytes=4294967296-', tenGigabytes, { start: 4_294_967_296, end: tenGigabytes }],
    ['bytes=0-99999999999999999999999', 100, { start: 0, end: 100 }],
    ['bytes=100-', 100, 'unsatisfiable'],
    ['bytes=100-200', 100, 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 100, 'unsatisfiable'],
    ['bytes=-0', 100, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'unsatisfiable'],
    ['bytes=20-10', 100, 'whole'],
    ['bytes=200-150', 100, 'whole'],
    ['bytes=-', 100, 'whole'],
    ['bytes=a-b', 100, 'whole'],
    ['bytes=1.5-3', 100, 'whole'],
    ['bytes=0-1,5-9', 100, 'whole'],
    ['items=0-9', 100, 'whole'],
    ['0-9', 100, 'whole'],
  ])('%s of %i bytes is %o', (header, sizeBytes, expected) => {
    expect(readByteRange(header, sizeBytes)).toEqual(expected);
  });
});
