import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { makeLibrary } from '../library/upkeep/testing/fill-library.ts';
import { asOrdinaryUser } from '../../testing/as-ordinary-user.ts';
import { makePorts } from '../testing/make-ports.ts';
import { createBackend } from '../backend.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-folder-'));
  onTestFinished(() => {
    chmodSync(folder, 0o755);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const connection = { kind: 'remote' as const, baseUrl: 'http://127.0.0.1:9', token: null };

it('tells a second program which one has the folder, and lets it in once that one ended', async () => {
  const dataDir = makeFolder();
  const first = createBackend({ ports: makePorts(dataDir), connection });
  const before = readdirSync(dataDir).sort();
  expect(() => createBackend({ ports: makePorts(dataDir), connection })).toThrow(
    expect.objectContaining({
      code: 'library.in-use',
      message: expect.stringContaining(`process ${String(process.pid)}, in the browser, since 20`) as string,
    }),
  );
  expect(readdirSync(dataDir).sort()).toEqual(before);
  await first.close();
  const second = createBackend({ ports: makePorts(dataDir), connection });
  await second.close();
});

const ordinaryUser = asOrdinaryUser();

it.skipIf(ordinaryUser === null)(
  'opens a folder that takes nothing, reads it, and says that nothing is kept',
  async () => {
    const dataDir = makeFolder();
    const first = createBackend({ ports: makePorts(dataDir), connection });
    await first.close();
    const library = readdirSync(dataDir).find((name) => name.startsWith('library-')) ?? '';
    const made = join(makeFolder(), library);
    await makeLibrary(made, [{ collectionId: 'c', from: 0, count: 40, fetchedAtMs: 1000 }]);
    cpSync(made, join(dataDir, library));
    mkdirSync(join(dataDir, 'unused'));
    chmodSync(dataDir, 0o555);
    const before = readdirSync(dataDir).sort();
    const child = fileURLToPath(new URL('./testing/read-only-child.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [child, dataDir], ordinaryUser ?? {});
    expect(JSON.parse(stdout)).toEqual({ isKept: false, itemCount: 40 });
    expect(readdirSync(dataDir).sort()).toEqual(before);
  },
);
