import { expect, it } from 'vitest';
import { writeShareLines } from './share-lines.ts';

const baseUrl = 'http://127.0.0.1:8426/v1/stac';

it('writes lines with address and token for each program', () => {
  const lines = writeShareLines(baseUrl, 'abc');
  expect(lines.find(({ id }) => id === 'curl')?.text).toBe(
    "curl -H 'Authorization: Bearer abc' 'http://127.0.0.1:8426/v1/stac/search?limit=10'",
  );
  for (const { id, text } of lines) {
    expect([id, text.includes('Bearer abc')]).toEqual([id, true]);
    expect([id, id === 'gdal' || text.includes(baseUrl)]).toEqual([id, true]);
  }
});

it('says nothing of a token where none is asked for', () => {
  for (const { hint, text } of writeShareLines(baseUrl, null)) {
    expect(text + hint).not.toMatch(/bearer|header|null/i);
  }
});
