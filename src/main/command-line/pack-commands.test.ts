import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectOutcome, readFirstLine, startSwath } from './testing/run-swath.ts';
import { openLibrary } from '../backend/library/open-library.ts';
import { makeItem } from '../backend/service/testing/test-service.ts';

const running: ChildProcessWithoutNullStreams[] = [];
let root: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'swath-cli-share-'));
  mkdirSync(join(root, 'here'));
  // Moved out of the data folder, as a person may.
  const libraryFolder = join(root, 'libraries');
  mkdirSync(libraryFolder);
  writeFileSync(join(root, 'here', 'settings.json'), JSON.stringify({ libraryFolder }));
  const library = openLibrary({ filePath: join(libraryFolder, 'library-demo.sqlite') });
  await library.saveCollections([{ id: 'c' }], 1);
  const items = ['a', 'b'].map((id) => makeItem('c', id));
  await library.saveItems(items, 1);
  const query = { collections: ['c'] };
  const search = { query, localFilter: null, leftOutCount: 0, matched: 2, isComplete: true };
  await library.saveSearch({ ...search, items: items.map(({ ref }) => ref) }, 1);
  await library.close();
}, 60_000);

afterAll(async () => {
  for (const child of running.filter(({ exitCode }) => exitCode === null)) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  }
  rmSync(root, { recursive: true, force: true });
}, 30_000);

function start(folder: string, args: string[]): ChildProcessWithoutNullStreams {
  const child = startSwath(['--data-dir', join(root, folder), '--json', ...args]);
  running.push(child);
  return child;
}

async function readLine(child: ChildProcessWithoutNullStreams): Promise<Record<string, string | null>> {
  return JSON.parse(await readFirstLine(child)) as Record<string, string | null>;
}

describe('swath', () => {
  it('serves the library with a token from a file, which it makes', async () => {
    const tokenFile = join(root, 'token');
    const { baseUrl, ...others } = await readLine(
      start('here', ['serve', '--port', '0', '--token-file', tokenFile]),
    );
    expect(others).toEqual({ tokenFile });
    const authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
    const answer = await fetch(`${String(baseUrl)}/search`, { headers: { authorization } });
    expect(await answer.json()).toMatchObject({ numberMatched: 2, features: [{ id: 'a' }, { id: 'b' }] });
    expect((await fetch(String(baseUrl))).status).toBe(401);
  });

  it('serves without a token to this computer only', async () => {
    const { baseUrl, token } = await readLine(start('here', ['serve', '--port', '0', '--no-token']));
    expect(token).toBeNull();
    expect((await fetch(String(baseUrl))).status).toBe(200);
    const refused = start('here', ['serve', '--port', '0', '--no-token', '--host', '0.0.0.0']);
    expect((await once(refused, 'exit'))[0]).toBe(2);
  });

  it('carries the library to another data folder in a field pack', async () => {
    const file = join(root, 'trip.swathpack');
    expect(await readLine(start('here', ['pack', 'export', file]))).toEqual({ path: file });
    expect(await readLine(start('here', ['pack', 'show', file]))).toMatchObject({ name: 'trip' });
    expect(await readLine(start('there', ['pack', 'open', file]))).toMatchObject({
      itemsTaken: 2,
      searchesTaken: 1,
    });
    const again = start('here', ['pack', 'export', file]);
    expect((await once(again, 'exit'))[0]).toBe(2);
    mkdirSync(join(root, 'broken'));
    writeFileSync(join(root, 'broken', 'notebook.sqlite'), 'no database'.repeat(1000));
    const broken = await collectOutcome(start('broken', ['library', 'usage']));
    expect(JSON.parse(broken.stderr)).toMatchObject({
      code: 'library.corrupt',
      details: { mend: expect.stringContaining('puts a damaged file aside') as string },
    });
    const unseen = await collectOutcome(
      start('there', ['--base-url', 'http://127.0.0.1:9', 'pack', 'export', 'x']),
    );
    expect([unseen.code, JSON.parse(unseen.stderr)]).toMatchObject([1, { code: 'exchange.nothing' }]);
    expect(readdirSync(join(root, 'there')).filter((name) => name.startsWith('library-'))).toEqual([
      'library-demo.sqlite',
    ]);
    const none = join(root, 'none.swathpack');
    const { stderr } = await collectOutcome(start('here', ['pack', 'open', none]));
    expect(JSON.parse(stderr)).toMatchObject({ message: `There is no ${none} (ENOENT)` });
  });

  it('takes the pack of another catalog in only where the library is named', async () => {
    const [file, other] = [join(root, 'demo.swathpack'), join(root, 'other.swathpack')];
    const named = ['--base-url', 'http://127.0.0.1:9/v1'];
    const run = (folder: string, ...args: string[]) => collectOutcome(start(folder, args));
    expect((await run('here', 'pack', 'export', file)).code).toBe(0);
    const mixed = await run('third', ...named, 'pack', 'open', file);
    expect([mixed.code, mixed.stderr]).toEqual([0, expect.stringContaining('made from Demo catalog')]);
    expect((await run('third', ...named, 'pack', 'export', other)).code).toBe(0);
    const refused = await run('fourth', 'pack', 'open', other);
    expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([
      2,
      { code: 'input.invalid', message: expect.stringContaining('http://127.0.0.1:9/v1') as string },
    ]);
    expect((await run('fourth', ...named, 'pack', 'open', other)).stderr).toBe('');
  });
});
