import { expect, it } from 'vitest';
import { readLines } from './read-lines.ts';

const bytes = new TextEncoder().encode('née\n\n{"a":1}\r\nlast');

async function* cut(length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) {
    await Promise.resolve();
    yield bytes.subarray(at, at + length);
  }
}

it('reads the same lines however the bytes are cut, letters included', async () => {
  for (let length = 1; length <= bytes.length; length += 1) {
    const lines: string[] = [];
    for await (const line of readLines(cut(length), () => 8)) lines.push(line);
    expect(lines).toEqual(['née', '', '{"a":1}\r', 'last']);
  }
});

it('gives a line up once it is longer than allowed, though it never ends', async () => {
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) yield await Promise.resolve(new Uint8Array(10).fill(65));
  };
  await expect(readLines(endless(), () => 1000).next()).rejects.toThrow(RangeError);
  const lines = readLines(cut(4), () => 4);
  expect((await lines.next()).value).toBe('née');
  expect((await lines.next()).value).toBe('');
  await expect(lines.next()).rejects.toThrow(RangeError);
});
