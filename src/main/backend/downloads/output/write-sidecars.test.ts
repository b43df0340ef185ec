import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../library/upkeep/testing/fill-library.ts';
import { silentLogger } from '../../ports.ts';
import { createSerialTasks } from '../tasks/serial-tasks.ts';
import type { ReceiptEntry } from './receipt.ts';
import { makeEntry } from './testing/make-entry.ts';
import { writeSidecars, type PublishedFile } from './write-sidecars.ts';

const writeOne = (file: PublishedFile) => writeSidecars([file], []);

it.each([
  ['half of one', '[{"asset":"red"', []],
  ['with an entry of another form', JSON.stringify([makeEntry('red'), { asset: 'nir' }]), ['red.tif']],
])('keeps a receipt that is damaged, %s, beside the new one', async (_, text, files) => {
  const folder = join(makeFolder(), 'c', '2026', 'i');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'receipt.json'), text);
  await writeOne({
    filePath: join(folder, 'blue.tif'),
    ref: { collectionId: 'c', itemId: 'i' },
    item: { id: 'i', collection: 'c', properties: {}, assets: {} },
    entry: makeEntry('blue'),
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

async function publish(folder: string, key: string, assets: object): Promise<void> {
  await writeOne({
    filePath: join(folder, `${key}.tif`),
    ref: { collectionId: 'c', itemId: 'i' },
    item: { id: 'i', collection: 'c', properties: {}, assets },
    entry: makeEntry(key),
    loadCollection: () => Promise.resolve({ id: 'c' }),
    tasks: createSerialTasks(),
    logger: silentLogger,
  });
}

const readItem = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'item.json'), 'utf8')) as { assets: Record<string, { href: string }> };

it('keeps the assets that are here though the Item has them no more', async () => {
  const folder = join(makeFolder(), 'c', '2026', 'i');
  mkdirSync(folder, { recursive: true });
  await publish(folder, 'red', {
    red: { href: 'https://host.example/red' },
    old: { href: 'https://host.example/o' },
  });
  const mine = { ...readItem(folder) };
  mine.assets['mask'] = { href: './mask.tif' };
  writeFileSync(join(folder, 'item.json'), JSON.stringify(mine));
  await publish(folder, 'blue', { blue: { href: 'https://host.example/blue' } });
  expect(readItem(folder).assets).toMatchObject({
    blue: { href: './blue.tif' },
    red: { href: './red.tif' },
    mask: { href: './mask.tif' },
  });
  expect(readItem(folder).assets).not.toHaveProperty('old');
});

it.each(['a note of mine', '{"id":"other"}'])('writes no Item over a person’s own file: %s', async (text) => {
  const folder = join(makeFolder(), 'c', '2026', 'i');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'item.json'), text);
  await publish(folder, 'red', { red: { href: 'https://host.example/red' } });
  const [aside = ''] = readdirSync(folder).filter((name) => name.startsWith('item.damaged-'));
  expect(readFileSync(join(folder, aside), 'utf8')).toBe(text);
  expect(readItem(folder).assets).toMatchObject({ red: { href: './red.tif' } });
});
