import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readItemLines } from './read-item-lines.ts';

const item = JSON.stringify({ type: 'Feature', id: 'a', collection: 'c', properties: {}, assets: {} });

async function read(text: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { ref } of readItemLines(Readable.from([Buffer.from(text)]))) ids.push(ref.itemId);
  return ids;
}

it('reads one item a line, and passes over empty lines', async () => {
  expect(await read(`${item}\n\n${item}`)).toEqual(['a', 'a']);
});

it.each([
  ['is not JSON', '{'],
  ['is too long', ' '.repeat(33 * 1024 * 1024)],
])('names the line that %s', async (why, line) => {
  await expect(read(`${item}\n\n${line}\n`)).rejects.toMatchObject({
    code: 'input.invalid',
    message: expect.stringContaining(`line 3 ${why}`) as string,
  });
});
