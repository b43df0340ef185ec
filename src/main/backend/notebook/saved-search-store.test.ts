import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fillVolume, mountVolume } from '../../testing/full-volume.ts';
import { openNotebook } from './notebook.ts';

const question = { query: {}, localFilter: null, maxItems: null };
let folder: string;
let filePath: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-notebook-'));
  filePath = join(folder, 'notebook.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const save = (notebook: ReturnType<typeof openNotebook>, connectionId = 'one') =>
  notebook.savedSearches.save({ connectionId, name: 'Alps', question, nowMs: 1000 });

it('keeps each catalog’s saved searches apart', () => {
  const notebook = openNotebook({ filePath });
  const saved = save(notebook);
  expect(save(notebook, 'two').savedSearchId).not.toBe(saved.savedSearchId);
  expect(notebook.savedSearches.list('one')).toEqual([saved]);
  expect(notebook.savedSearches.find('two', saved.savedSearchId)).toBeNull();
  expect(notebook.savedSearches.findByName('one', 'ALPS')).toEqual(saved);
  notebook.close();
});

it('keeps what was seen when the program is killed while it notes it', async () => {
  const notebook = openNotebook({ filePath });
  const { savedSearchId } = save(notebook);
  const child = spawn(process.execPath, [
    join(import.meta.dirname, 'testing', 'mark-child.ts'),
    filePath,
    String(savedSearchId),
  ]);
  let noted = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    noted = Number(line);
    if (noted >= 5000) break;
  }
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  notebook.close();

  const reopened = openNotebook({ filePath });
  const { savedSearches } = reopened;
  const refs = Array.from({ length: 200_000 }, (_, index) => ({
    collectionId: 'c',
    itemId: `item-${index}`,
  }));
  const [firstUnseen = 0, ...others] = savedSearches.findUnseen(savedSearchId, refs);
  expect(noted).toBeGreaterThanOrEqual(5000);
  expect(firstUnseen).toBeGreaterThanOrEqual(noted);
  // Whole slices, and nothing after them.
  expect(firstUnseen % 500).toBe(0);
  expect(others).toHaveLength(refs.length - firstUnseen - 1);
  expect(savedSearches.find('one', savedSearchId)?.lookedAtMs).toBeNull();
  reopened.close();
});

it('forgets for good what was removed long enough ago', () => {
  const notebook = openNotebook({ filePath });
  const { savedSearches } = notebook;
  const { savedSearchId } = save(notebook);
  savedSearches.addSeen(savedSearchId, [{ collectionId: 'c', itemId: 'a' }]);
  savedSearches.remove(savedSearchId, 5000);
  savedSearches.purge(5000);
  expect(savedSearches.restore('one', savedSearchId)).toBe(true);
  savedSearches.remove(savedSearchId, 6000);
  savedSearches.purge(6001);
  expect(savedSearches.restore('one', savedSearchId)).toBe(false);
  // Nothing is remembered for one that is gone.
  savedSearches.addSeen(savedSearchId, [{ collectionId: 'c', itemId: 'a' }]);
  expect(savedSearches.findUnseen(savedSearchId, [{ collectionId: 'c', itemId: 'a' }])).toEqual([0]);
  notebook.close();
});

it('never says that something is kept for which there was no room', ({ skip }) => {
  const volume = mountVolume();
  if (volume === null) return skip();
  const notebook = openNotebook({ filePath: join(volume, 'notebook.sqlite') });
  save(notebook, 'before');
  const filling = fillVolume(volume);
  const isFull: unknown = expect.objectContaining({ code: 'library.disk-full' });
  // There may be room in the log yet.
  const kept: number[] = [];
  expect(() => {
    for (let number = 0; number < 100; number += 1) {
      notebook.savedSearches.save({
        connectionId: 'one',
        name: `S ${String(number)}`,
        question,
        nowMs: 1000,
      });
      kept.push(number);
    }
  }).toThrow(isFull);
  const job = { connectionId: 'one', name: 'All', question, choice: { hasPictures: false, assets: null } };
  expect(() => notebook.offlineJobs.add(job, 1000)).toThrow(isFull);
  rmSync(filling);
  expect(notebook.savedSearches.list('one').map(({ name }) => name)).toEqual(
    kept.map((n) => `S ${String(n)}`),
  );
  expect(notebook.offlineJobs.list()).toEqual([]);
  notebook.close();
});
