import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiptOf } from '../backend/downloads/testing/received-files.ts';
import { asOrdinaryUser } from '../testing/as-ordinary-user.ts';
import { collectOutcome, startSwath } from './testing/run-swath.ts';

const ordinaryUser = asOrdinaryUser();
const text = 'whole';
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'swath-closed-'));
  chmodSync(root, 0o777);
});

afterEach(() => {
  for (const name of ['open', 'named-only', 'closed', 'lost+found']) chmodSync(join(root, name), 0o755);
  rmSync(root, { recursive: true, force: true });
});

/** The folder of an Item with one file that came whole. */
function makeItemFolder(name: string, mode: number): void {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'receipt.json'), JSON.stringify(receiptOf({ 'B04.tif': text })));
  writeFileSync(join(folder, 'B04.tif'), text);
  chmodSync(folder, mode);
}

describe.skipIf(ordinaryUser === null)('swath verify, where a folder is closed', () => {
  it('reads what it can, says what it can’t, and calls none of that missing', async () => {
    makeItemFolder('open', 0o755);
    makeItemFolder('named-only', 0o744);
    makeItemFolder('closed', 0o700);
    mkdirSync(join(root, 'lost+found'), { mode: 0o700 });
    const { code, stdout, stderr } = await collectOutcome(
      startSwath(
        ['--data-dir', join(root, 'data'), 'verify', root, '--json'],
        { HOME: root },
        ordinaryUser ?? {},
      ),
    );
    expect(code, stderr).toBe(1);
    const { counts, files } = JSON.parse(stdout) as {
      counts: Record<string, number>;
      files: { path: string; result: string }[];
    };
    expect(counts).toMatchObject({ ok: 1, missing: 0, changed: 0 });
    expect(files).toContainEqual(
      expect.objectContaining({ path: join('open', 'B04.tif'), result: 'ok', error: null }),
    );
    expect(files).toContainEqual(
      expect.objectContaining({
        path: 'closed',
        result: 'unreadable',
        error: expect.objectContaining({ code: 'transfer.destination-not-writable' }) as unknown,
      }),
    );
  });
});
