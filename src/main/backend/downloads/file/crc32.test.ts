import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { combineCrc32 } from './crc32.ts';

describe('combineCrc32', () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7919) >>> 3));

  it.each([0, 1, 7, 255, 4096, 65_536, 69_999, 70_000])('joins two stretches cut at %i', (at) => {
    const [first, second] = [bytes.subarray(0, at), bytes.subarray(at)];
    expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(crc32(bytes));
  });
});
