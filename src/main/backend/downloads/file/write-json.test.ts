import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemDisk, type Disk } from './disk.ts';
import { readJson, writeJson } from './write-json.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-json-'));
  path = join(folder, 'receipt.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('tells what is no JSON from what is not there', async () => {
  expect(await readJson(path)).toBeUndefined();
  writeFileSync(path, '{"half');
  expect(await readJson(path)).toBeNull();
});

it.skipIf(process.platform === 'win32')('does not wait for a pipe to be written to', async () => {
  execFileSync('mkfifo', [path]);
  expect(await readJson(path)).toBeNull();
});

it('takes nothing into memory that is too large to be of use', async () => {
  writeFileSync(path, '[]');
  truncateSync(path, 3_000_000_000);
  expect(await readJson(path)).toBeNull();
});

it.skipIf(process.platform === 'win32')('tries again where another program has the file open', async () => {
  let isHeld = true;
  const disk: Disk = {
    ...systemDisk,
    async rename(from, to) {
      if (isHeld) {
        isHeld = false;
        throw Object.assign(new Error('busy'), { code: 'EBUSY' });
      }
      await systemDisk.rename(from, to);
    },
  };
  await writeJson(path, { new: true }, disk);
  expect(await readJson(path)).toEqual({ new: true });
});
