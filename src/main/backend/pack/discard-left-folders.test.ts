import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { discardLeftFolders } from './discard-left-folders.ts';
import { workFolderPrefix } from './pack-format.ts';

it('takes away what a killed process left, and nothing else', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'swath-left-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const nowMs = Date.now();
  const longAgo = new Date(nowMs - 25 * 3600 * 1000);
  for (const name of [`${workFolderPrefix}old`, `${workFolderPrefix}new`, 'old']) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, '0'), 'bytes');
    if (name.endsWith('old')) utimesSync(join(parent, name), longAgo, longAgo);
  }
  await discardLeftFolders(parent, nowMs);
  expect(readdirSync(parent).sort()).toEqual([`${workFolderPrefix}new`, 'old']);
});
