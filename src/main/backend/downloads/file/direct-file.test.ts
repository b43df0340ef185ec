import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { allocatePages } from '../../http/bulk/pages.ts';
import { makeBytes } from '../testing/download-harness.ts';
import { systemDisk } from './disk.ts';

const page = 4096;

function openHere() {
  const folder = mkdtempSync(join(tmpdir(), 'swath-direct-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'x.part');
  writeFileSync(path, '');
  return { path, opening: systemDisk.open(path, 'update') };
}

/** Bytes in memory that begins with a page, the first of them so far behind it. */
function inPages(bytes: Buffer, offset: number): Buffer {
  const memory = Buffer.from(allocatePages(bytes.length + 2 * page));
  bytes.copy(memory, offset);
  return memory.subarray(offset, offset + bytes.length);
}

it.each([
  ['as it lies in the file', (position: number) => position % page],
  ['elsewhere', (position: number) => (position + 7) % page],
])('writes what lies in memory %s, around the cache and through it by turns', async (_, offsetOf) => {
  const { path, opening } = openHere();
  const file = await opening;
  const bytes = makeBytes(9_000_001);
  let position = 0;
  for (const [index, length] of [3_700_000, 1, 1_800_000, 4095, 2_999_999, 495_906].entries()) {
    let left = [inPages(bytes.subarray(position, position + length), offsetOf(position))];
    // As a write queue does: what was not taken is given again.
    while (left.length > 0) {
      const skipsCache = index !== 3;
      const written = await file.write(left, position, { skipsCache });
      expect(written).toBeGreaterThan(0);
      position += written;
      const [first = Buffer.alloc(0)] = left;
      left = written < first.length ? [first.subarray(written)] : [];
    }
  }
  await file.datasync();
  expect(await file.sizeBytes()).toBe(bytes.length);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  const readBack = Buffer.alloc(bytes.length);
  expect(await file.read(readBack, 0)).toBe(bytes.length);
  expect(readBack.equals(bytes)).toBe(true);
  await file.close();
});

it('writes into a file that was cut back, and knows it by its name', async () => {
  const { path, opening } = openHere();
  const file = await opening;
  const bytes = makeBytes(6 * 1024 * 1024);
  await file.write([inPages(bytes, 0)], 0, { skipsCache: true });
  await file.truncate(5_000_000);
  const rest = bytes.subarray(5_000_000);
  let done = 0;
  while (done < rest.length) {
    const from = 5_000_000 + done;
    done += await file.write([inPages(rest.subarray(done), from % page)], from, { skipsCache: true });
  }
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(await file.filledBytesAt(path)).toBe(bytes.length);
  rmSync(path);
  expect(await file.filledBytesAt(path)).toBeNull();
  writeFileSync(path, bytes);
  expect(await file.filledBytesAt(path)).toBeNull();
  await file.close();
});
