import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { page } from '../backend/catalog/testing/test-catalog.ts';
import { serve } from '../backend/http/testing/serve.ts';
import { collectOutcome, startSwath, toLines } from './testing/run-swath.ts';

/** Searches a catalog with these pages, and tells whether the record of it in the history is complete. */
async function search(pages: (string[] | 'the first again')[], ...options: string[]): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-history-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const server = await serve(({ target }) => {
    const number = Number(/\d+$/.exec(target)?.[0] ?? 0);
    const [asked, next] = [pages[number], pages[number + 1]];
    const ids = Array.isArray(asked) ? asked : [];
    if (next === undefined) return { body: page(ids) };
    const to = next === 'the first again' ? 0 : number + 1;
    return { body: page(ids, { href: `/search?page=${String(to)}` }) };
  });
  const run = (...args: string[]) =>
    collectOutcome(startSwath(['--data-dir', dataDir, '--base-url', server.origin, ...args]));
  const searched = await run('search', ...options);
  expect(searched.code, searched.stderr).toBe(0);
  const [record] = toLines((await run('history')).stdout).map(
    (line) => JSON.parse(line) as { isComplete: boolean },
  );
  return record?.isComplete ?? false;
}

it('a search whose last page leads to an empty one is complete', async () => {
  expect(await search([['a', 'b'], []])).toBe(true);
}, 60_000);

it('a search whose pages lead in a circle, or that was ended before its last page, is not', async () => {
  expect(await search([['a'], ['b'], 'the first again'])).toBe(false);
  expect(await search([['a'], ['b']], '--max-items', '1')).toBe(false);
}, 60_000);
