import Database from 'better-sqlite3';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '#shared/rpc/client.ts';
import { contract } from '#shared/rpc/contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import { createBackend } from '../backend.ts';
import { serve } from '../http/testing/serve.ts';
import { silentLogger, systemClock } from '../ports.ts';

/** A window on a catalog whose search answers the pages one after the other; each but the last has a next link. */
async function openOn(pages: readonly (readonly string[])[]) {
  const server = await serve(({ target: url }) => {
    if (!url.startsWith('/search')) return { body: { collections: [], links: [] } };
    const number = Number(/page=(\d+)/.exec(url)?.[1] ?? 0);
    const isLast = number >= pages.length - 1;
    return {
      body: {
        type: 'FeatureCollection',
        features: (pages[number] ?? []).map((id) => ({ type: 'Feature', id, collection: 'c' })),
        links: isLast ? [] : [{ rel: 'next', href: `${server.origin}/search?page=${String(number + 1)}` }],
      },
    };
  });
  const root = mkdtempSync(join(tmpdir(), 'swath-search-'));
  const backend = createBackend({
    isValidating: true,
    connection: { kind: 'remote', baseUrl: server.origin, token: null },
    ports: {
      host: 'browser',
      appVersion: '1.2.3',
      dataDir: root,
      homeDir: root,
      downloadsDir: root,
      settings: { read: () => ({}), write: () => undefined },
      desktop: {},
      clock: systemClock,
      logger: silentLogger,
    },
  });
  onTestFinished(async () => {
    await backend.close();
    rmSync(root, { recursive: true, force: true });
  });
  const [near, far] = createMemoryPipe();
  backend.router.serve(far);
  const readRecords = () => {
    const [file = ''] = readdirSync(root).filter((name) => /^library-.*\.sqlite$/.test(name));
    const library = new Database(join(root, file), { readonly: true });
    const records = library.prepare('SELECT is_complete FROM search').pluck().all();
    library.close();
    return records;
  };
  return { client: createClient(contract, near, { isValidating: true }), readRecords };
}

it('takes a search for complete when the page that was announced is empty', async () => {
  const { client, readRecords } = await openOn([['a', 'b'], []]);
  const first = await client.search.run({ query: {} });
  expect([first.hasMore, readRecords()]).toEqual([true, [0]]);
  const second = await client.search.more({ searchId: first.searchId });
  expect(second).toMatchObject({ rows: [], hasMore: false, isIncomplete: false });
  expect(readRecords()).toEqual([1]);
});

it('says that items may be missing when the pages lead in a circle', async () => {
  const { client, readRecords } = await openOn([['a'], ['a'], ['b']]);
  const first = await client.search.run({ query: {} });
  const second = await client.search.more({ searchId: first.searchId });
  expect(second).toMatchObject({ rows: [], hasMore: false, isIncomplete: true });
  expect(readRecords()).toEqual([0]);
});
