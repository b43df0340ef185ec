import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../library/upkeep/testing/fill-library.ts';
import { silentLogger } from '../../ports.ts';
import { createSerialTasks } from '../schedule/serial-tasks.ts';
import type { ReceiptEntry } from './receipt.ts';
import { writeSidecars } from './write-sidecars.ts';

const entryOf = (file: string): ReceiptEntry => ({
  asset: file.replace('.tif', ''),
  file,
  source: `https://files.example/${file}`,
  bytes: 1,
  checksum: `1220${'00'.repeat(32)}`,
  verification: 'size-only',
  isVerified: false,
  etag: null,
  started: '2026-01-01T00:00:00Z',
  finished: '2026-01-01T00:00:00Z',
  swathVersion: '1',
});

it.each([
  ['half of one', '[{"asset":"red"', []],
  ['with an entry of another form', JSON.stringify([entryOf('red.tif'), { asset: 'nir' }]), ['red.tif']],
])('keeps a receipt that is damaged, %s, beside the new one', async (_, text, files) => {
  const folder = join(makeFolder(), 'c', '2026', 'i');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'receipt.json'), text);
  await writeSidecars({
    filePath: join(folder, 'blue.tif'),
    ref: { collectionId: 'c', itemId: 'i' },
    item: { id: 'i', collection: 'c', properties: {}, assets: {} },
    entry: entryOf('blue.tif'),
    replaced: [],
    loadCollection: () => Promise.resolve({ id: 'c' }),
    tasks: createSerialTasks(),
    logger: silentLogger,
  });
  const [damaged = '', ...others] = readdirSync(folder).filter((name) => name.startsWith('receipt.damaged-'));
  expect(readFileSync(join(folder, damaged), 'utf8')).toBe(text);
  expect(others).toEqual([]);
  const receipt = JSON.parse(readFileSync(join(folder, 'receipt.json'), 'utf8')) as ReceiptEntry[];
  expect(receipt.map(({ file }) => file)).toEqual([...files, 'blue.tif']);
});
