import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../library/upkeep/testing/fill-library.ts';
import { silentLogger } from '../../ports.ts';
import { createSerialTasks } from '../schedule/serial-tasks.ts';
import type { ReceiptEntry } from './receipt.ts';
import { makeEntry } from './testing/make-entry.ts';
import { writeSidecars } from './write-sidecars.ts';

it.each([
  ['half of one', '[{"asset":"red"', []],
  ['with an entry of another form', JSON.stringify([makeEntry('red'), { asset: 'nir' }]), ['red.tif']],
])('keeps a receipt that is damaged, %s, beside the new one', async (_, text, files) => {
  const folder = join(makeFolder(), 'c', '2026', 'i');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'receipt.json'), text);
  await writeSidecars({
    filePath: join(folder, 'blue.tif'),
    ref: { collectionId: 'c', itemId: 'i' },
    item: { id: 'i', collection: 'c', properties: {}, assets: {} },
    entry: makeEntry('blue'),
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
