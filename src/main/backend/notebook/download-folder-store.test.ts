import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNotebook, type Notebook } from './notebook.ts';

let folder: string;
let notebook: Notebook;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-folders-'));
  notebook = openNotebook({ filePath: join(folder, 'notebook.sqlite') });
});

afterEach(() => {
  notebook.close();
  rmSync(folder, { recursive: true });
});

test('the folder used last comes first, whatever is told of earlier uses later', () => {
  const { downloadFolders } = notebook;
  downloadFolders.note('one', '/a', 1);
  downloadFolders.note('one', '/b', 2);
  downloadFolders.note('one', '/c', 3);
  downloadFolders.note('one', '/b', 4);
  expect(downloadFolders.list('one')).toEqual(['/b', '/c', '/a']);
  downloadFolders.note('one', '/a', 1);
  downloadFolders.note('one', '/c', 0);
  expect(downloadFolders.list('one')).toEqual(['/b', '/c', '/a']);
});
