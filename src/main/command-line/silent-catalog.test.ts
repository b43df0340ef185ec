import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import type { RecordingServer } from '../backend/http/testing/recording-server.ts';
import { serve } from '../backend/http/testing/serve.ts';
import { collectOutcome, startSwath } from './testing/run-swath.ts';

let root: string;
let catalog: RecordingServer;
/** How often the catalog gives the item before it falls silent. */
let answers: number;
let itemRequests: number;

const item = {
  type: 'Feature',
  id: 'scene',
  collection: 's2',
  geometry: null,
  properties: { datetime: '2024-05-01T00:00:00Z' },
  assets: { B04: { href: 'https://storage.example/B04.bin' } },
  links: [],
};

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'swath-silent-'));
  itemRequests = 0;
  const { promise: never } = Promise.withResolvers<never>();
  catalog = await serve(({ target }) => {
    if (!target.includes('/items/')) return { body: { collections: [], links: [] } };
    itemRequests += 1;
    return itemRequests <= answers ? { body: item } : never;
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function start(...args: string[]) {
  const places = ['--data-dir', join(root, 'data'), '--base-url', `${catalog.origin}/`];
  return startSwath([...args, ...places]);
}

async function addToQueue(): Promise<void> {
  answers = Infinity;
  const { code, stderr } = await collectOutcome(
    start('queue', 'add', 's2', 'scene', '--assets', 'B04', '--to', root),
  );
  expect(code, stderr).toBe(0);
}

it.each(['download', 'queue run'])(
  '%s ends at Ctrl-C though the catalog says nothing',
  async (name) => {
    if (name === 'queue run') await addToQueue();
    answers = name === 'download' ? 1 : 0;
    itemRequests = 0;
    const child =
      name === 'download'
        ? start('download', 's2', 'scene', '--assets', 'B04', '--to', root)
        : start('queue', 'run');
    const outcome = collectOutcome(child);
    await eventually(() => expect(itemRequests).toBe(answers + 1));
    child.kill('SIGINT');
    expect(await outcome).toMatchObject({ code: 1 });
  },
  30_000,
);

it('queue run loses its patience with a catalog that gives no link', async () => {
  await addToQueue();
  [answers, itemRequests] = [0, 0];
  const { code, stderr } = await collectOutcome(start('queue', 'run', '--patience', '1'));
  expect(code).toBe(4);
  expect(stderr).toContain('The catalog has given no link');
}, 30_000);
