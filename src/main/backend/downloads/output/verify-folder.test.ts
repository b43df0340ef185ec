import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { receiptOf } from '../testing/received-files.ts';
import { checkFolder } from './verify-folder.ts';

const roots: string[] = [];
afterEach(() => roots.splice(0).forEach((root) => rmSync(root, { recursive: true, force: true })));

function makeFolder(files: Record<string, string>, received: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'swath-verify-'));
  roots.push(root);
  const folder = join(root, 'c', '2026', 'i');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'receipt.json'), JSON.stringify(receiptOf(received)));
  writeFileSync(join(folder, 'item.json'), '{}');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return root;
}

async function resultsOf(root: string): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  const check = await checkFolder(root);
  for await (const { path, result } of check.findings(new AbortController().signal))
    results[path.split(/[/\\]/).at(-1) ?? ''] = result;
  return results;
}

it('tells what is as it came from what is not', async () => {
  const root = makeFolder(
    { 'a.tif': 'whole', 'b.tif': 'whole', 'c.tif': 'longer now', 'mine.txt': 'x', 'e.tif.7.part': 'y' },
    { 'a.tif': 'whole', 'b.tif': 'while', 'c.tif': 'long', 'd.tif': 'gone' },
  );
  expect(await resultsOf(root)).toEqual({
    'a.tif': 'ok',
    'b.tif': 'changed',
    'c.tif': 'changed',
    'd.tif': 'missing',
    'mine.txt': 'unknown',
    'e.tif.7.part': 'unfinished',
  });
});

it.each([
  ['is half of one', '[{"asset"'],
  ['has an entry that is none', '[{"asset":"a.tif"}]'],
  ['is gone', null],
])('tells of a receipt that %s', async (_, text) => {
  const root = makeFolder({ 'a.tif': 'whole' }, { 'a.tif': 'whole' });
  const path = join(root, 'c', '2026', 'i', 'receipt.json');
  if (text === null) rmSync(path);
  else writeFileSync(path, text);
  expect(await resultsOf(root)).toEqual({ 'receipt.json': 'no-receipt', 'a.tif': 'unknown' });
});

it('says which folders went with all that was in them, by the links of the static catalog', async () => {
  const root = makeFolder({ 'a.tif': 'whole' }, { 'a.tif': 'whole' });
  const link = (rel: string) => (href: string) => ({ rel, href });
  const items = [
    './2026/i/item.json',
    './2025/j/item.json',
    './../../etc/item.json',
    './2024/../item.json',
    7,
  ];
  const children = ['./c/collection.json', './d/collection.json', './../x/collection.json'];
  const write = (path: string, content: unknown) => writeFileSync(join(root, path), JSON.stringify(content));
  write('c/collection.json', { id: 'c', links: items.map((href) => link('item')(href as string)) });
  write('catalog.json', { id: 'swath-downloads', links: children.map(link('child')) });
  expect(await resultsOf(root)).toEqual({ 'a.tif': 'ok', d: 'folder-gone', j: 'folder-gone' });
  // A folder that is there, without what says whose it is, has lost its receipt.
  mkdirSync(join(root, 'c/2025/j'), { recursive: true });
  expect(await resultsOf(root)).toEqual({ 'a.tif': 'ok', d: 'folder-gone', 'receipt.json': 'no-receipt' });
  rmSync(join(root, 'c/2025/j'), { recursive: true });
  // Whose catalog leads elsewhere never said that it was here.
  write('catalog.json', { id: 'somebody', links: children.map(link('child')) });
  expect(await resultsOf(root)).toEqual({ 'a.tif': 'ok', j: 'folder-gone' });
});

it('reads nothing outside the folder, whatever a receipt names', async () => {
  const root = makeFolder({}, { '../../../secret': 'x', 'link.tif': 'whole' });
  const outside = join(root, 'elsewhere');
  writeFileSync(outside, 'whole');
  symlinkSync(outside, join(root, 'c', '2026', 'i', 'link.tif'));
  expect(await resultsOf(root)).toEqual({ elsewhere: 'unknown', 'link.tif': 'missing' });
});

it('says when there is no such folder', async () => {
  await expect(checkFolder('/nowhere/at/all')).rejects.toMatchObject({
    code: 'transfer.destination-missing',
  });
});
