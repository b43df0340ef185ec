import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { discardLeftFolders, makeWorkFolder, noteOtherFolder } from './work-folder.ts';

function makeParent(): string {
  const parent = mkdtempSync(join(tmpdir(), 'swath-left-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return parent;
}

/** The number of a process that has ended. */
function endedPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

it('takes away at the start what killed processes left, and nothing else', async () => {
  const [parent, other] = [makeParent(), makeParent()];
  const elsewhere = await makeWorkFolder(other);
  const left = join(parent, `.swath-pack-${String(endedPid())}-abcdef`);
  mkdirSync(left);
  writeFileSync(join(left, '0'), 'bytes');
  await noteOtherFolder(left, elsewhere);
  const stranger = join(other, 'somebody’s');
  mkdirSync(stranger);
  const misled = join(parent, `.swath-pack-${String(endedPid())}-ghijkl`);
  mkdirSync(misled);
  await noteOtherFolder(misled, stranger);
  // What an earlier version left, a previous run under this one's number, and what another process works at.
  mkdirSync(join(parent, '.swath-pack-abcdef'));
  await makeWorkFolder(parent);
  const names = [`.swath-pack-${String(process.ppid)}-abcdef`, 'library.sqlite'];
  for (const name of names) mkdirSync(join(parent, name));
  await discardLeftFolders(parent);
  expect(readdirSync(parent).sort()).toEqual(names);
  expect(readdirSync(other)).toEqual(['somebody’s']);
});

it('takes away beside a new folder what is left, but nothing of its own process', async () => {
  const parent = makeParent();
  const own = await makeWorkFolder(parent);
  const left = join(parent, `.swath-pack-${String(endedPid())}-abcdef`);
  const old = join(parent, `.swath-pack-${String(process.ppid)}-abcdef`);
  for (const folder of [left, old]) mkdirSync(folder);
  const longAgo = new Date(Date.now() - 25 * 3600 * 1000);
  utimesSync(old, longAgo, longAgo);
  await makeWorkFolder(parent);
  expect([existsSync(own), existsSync(left), existsSync(old)]).toEqual([true, false, false]);
});
