import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeDataFolder } from './make-data-folder.ts';

const refused = (folder: string) =>
  expect.objectContaining({
    code: 'library.read-only',
    details: expect.objectContaining({ file: folder }),
  }) as Error;

it('makes the folder with those around it, and names one that can\u2019t be made', () => {
  const around = mkdtempSync(join(tmpdir(), 'swath-data-'));
  onTestFinished(() => rmSync(around, { recursive: true }));
  const folder = join(around, 'a', 'b');
  makeDataFolder(folder);
  makeDataFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
  const file = join(around, 'file');
  writeFileSync(file, '');
  expect(() => makeDataFolder(join(file, 'c'))).toThrow(refused(join(file, 'c')));
});

it.runIf(process.platform === 'linux')('ends where a system has no room for folders', () => {
  expect(() => makeDataFolder('/proc/swath/a')).toThrow(refused('/proc/swath/a'));
});
