import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeDestination } from './make-destination.ts';

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-destination-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('makes a folder with those around it, and takes one that is there', () => {
  const folder = join(openFolder(), 'a', 'b', 'c');
  expect(makeDestination(folder)).toBe(folder);
  expect(makeDestination(folder)).toBe(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

const refused = expect.objectContaining({ code: 'transfer.destination-not-writable' }) as Error;

it('says what can\u2019t be made', () => {
  const file = join(openFolder(), 'file');
  writeFileSync(file, '');
  expect(() => makeDestination(join(file, 'a'))).toThrow(refused);
  expect(() => makeDestination(file)).toThrow(refused);
});

it.runIf(process.platform === 'linux')('ends where a system has no room for folders', () => {
  expect(() => makeDestination('/proc/swath/a')).toThrow(refused);
});
