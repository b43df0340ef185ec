import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { TakenJob } from '#shared/offline/offline-job.ts';
import type { StorageOutcome, StorageStatus, StorageTask } from '#shared/storage/storage.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { openWindow, pagesOf, type TestWindow } from './testing/open-window.ts';

interface StorageWindow {
  window: TestWindow;
  connectionId: string;
  status(): StorageStatus;
  perform(task: StorageTask): Promise<StorageOutcome>;
  undo(): Promise<StorageOutcome>;
  countItems(): Promise<number>;
}

/** A window on a catalog of so many items, all of them in the library. */
async function openStorage(itemCount: number): Promise<StorageWindow> {
  const items = Array.from({ length: itemCount }, (_, index) => ({
    id: `item-${String(index).padStart(4, '0')}`,
    // Text that can't be packed well.
    properties: { note: randomBytes(300).toString('base64') },
  }));
  const window = await openWindow(pagesOf([items]));
  let status: StorageStatus | null = null;
  window.client.storage.watch({}, { onEvent: (event) => (status = event) });
  await search(window, itemCount);
  const current = (): StorageStatus => {
    if (!status) throw new Error('There is no status yet');
    return status;
  };
  await eventually(() => expect(current().libraries.length).toBeGreaterThan(0));
  const connectionId = current().libraries[0]?.connectionId ?? '';
  const outcome = async (startedAtMs: number): Promise<StorageOutcome> => {
    await eventually(() => {
      expect(current().running).toBe(null);
      expect(current().outcome?.atMs).toBeGreaterThanOrEqual(startedAtMs);
    });
    return current().outcome as StorageOutcome;
  };
  return {
    window,
    connectionId,
    status: current,
    async perform(task) {
      await window.client.storage.dismiss({});
      const startedAtMs = Date.now();
      await window.client.storage.start(task);
      return outcome(startedAtMs);
    },
    async undo() {
      const startedAtMs = Date.now();
      await window.client.storage.undo({});
      return outcome(startedAtMs);
    },
    countItems: async () => (await window.client.storage.usage({ connectionId })).itemCount,
  };
}

async function search(window: TestWindow, count: number): Promise<void> {
  await window.client.search.run({ query: {} });
  const sql = 'SELECT count(*) AS count FROM item';
  await eventually(() => expect(window.readFile<{ count: number }>('library-', sql)[0]?.count).toBe(count));
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('tells what uses how much', async () => {
  const { window, connectionId, status } = await openStorage(120);
  const usage = await window.client.storage.usage({ connectionId });
  expect(usage).toMatchObject({
    itemCount: 120,
    searchCount: 1,
    collections: [{ collectionId: 'c', itemCount: 120 }],
  });
  const { itemBytes, thumbnailBytes, searchBytes, indexBytes, otherBytes, freeBytes } = usage;
  const sum = itemBytes + thumbnailBytes + searchBytes + indexBytes + otherBytes + freeBytes;
  expect(sum).toBeGreaterThan(0);
  expect(status().libraries[0]?.sizeBytes).toBeGreaterThan(0);
  expect(status().downloads).toEqual({ count: 0, sizeBytes: 0 });
});

it('evicts beyond a limit but for what is pinned, after saying what will go', async () => {
  const { window, countItems, status } = await openStorage(3000);
  const { storage } = window.client;
  const limits = { sizeBytes: 1_000_000, ageDays: null };
  const preview = await storage.preview(limits);
  expect(preview.itemCount).toBeGreaterThan(0);
  await storage.pin({ kind: 'collection', collectionId: 'c' });
  expect(await storage.preview(limits)).toMatchObject({ itemCount: 0, pinnedCount: 3000 });
  await storage.unpin({ kind: 'collection', collectionId: 'c' });
  await storage.setLimits(limits);
  await eventually(() => expect(status().outcome).toMatchObject({ kind: 'evict', state: 'done' }));
  const goneCount = 3000 - (await countItems());
  // What the library gathers beside its items may have changed its size since it was asked.
  expect(Math.abs(goneCount - preview.itemCount)).toBeLessThan(preview.itemCount / 20);
  expect(window.readFile('library-', 'SELECT evicted_count AS gone FROM search')).toEqual([
    { gone: goneCount },
  ]);
});

it('never evicts what was taken offline, as long as that is on the list', async () => {
  const { window, countItems, connectionId, perform } = await openStorage(2000);
  const { storage, takeOffline } = window.client;
  const { jobId } = await takeOffline.start({
    name: 'All',
    question: { query: {}, localFilter: null, maxItems: null },
    choice: { hasPictures: false, assets: null },
  });
  let jobs: TakenJob[] = [];
  takeOffline.watch({}, { onEvent: (event) => (jobs = event.jobs) });
  await eventually(() => expect(jobs[0]).toMatchObject({ state: 'done', evictedCount: 0 }));
  await storage.setLimits({ sizeBytes: 1_000_000, ageDays: null });
  await perform({ kind: 'evict' });
  expect(await countItems()).toBe(2000);
  expect(await storage.usage({ connectionId })).toMatchObject({ pinnedCount: 2000 });

  await takeOffline.remove({ jobId });
  await perform({ kind: 'evict' });
  const goneCount = 2000 - (await countItems());
  expect(goneCount).toBeGreaterThan(0);

  // Back on the list it says what went meanwhile, and has it again when it is gone on with.
  await takeOffline.restore({ jobId });
  await eventually(() => expect(jobs[0]).toMatchObject({ state: 'done', evictedCount: goneCount }));
  await takeOffline.goOn({ jobId: jobs[0]?.jobId ?? 0 });
  await eventually(() => expect(jobs[0]).toMatchObject({ state: 'done', evictedCount: 0 }));
  expect(await countItems()).toBe(2000);
});

it('backs up while it runs, restores what was, and takes that back', async () => {
  const { window, connectionId, perform, undo, countItems } = await openStorage(300);
  const folder = makeFolder();
  const backedUp = await perform({ kind: 'back-up', folder });
  expect(backedUp).toMatchObject({ state: 'done', facts: { libraryCount: 1, itemCount: 300 } });
  const backup = String(backedUp.facts['folder']);
  expect(await window.client.storage.inspectBackup({ folder: backup })).toMatchObject({
    libraries: [{ connectionId, itemCount: 300 }],
    hasNotebook: true,
  });
  await window.client.storage.setLimits({ sizeBytes: 1_000_000, ageDays: 1 });
  const restored = await perform({
    kind: 'restore',
    folder: backup,
    connectionIds: null,
    withNotebook: false,
  });
  expect(restored).toMatchObject({ state: 'done', canUndo: true, facts: { itemCount: 300 } });
  expect(readdirSync(join(String(restored.facts['asidePath']), '..')).join(' ')).toContain('.replaced-');
  expect(await countItems()).toBe(300);
  expect(await undo()).toMatchObject({ state: 'done', kind: 'restore' });
  expect(await countItems()).toBe(300);
});

it.each([
  ['the notebook of a backup at the next start, putting the present one aside', false],
  ['no notebook that was taken back before', true],
])('takes up %s', async (_name, isTakenBack) => {
  const { window, perform, undo } = await openStorage(20);
  const save = (name: string) =>
    window.client.saved.save({
      name,
      question: { query: {}, localFilter: null, maxItems: null },
      shown: null,
    });
  const namesIn = (file: string): string[] =>
    window.readFile<{ name: string }>(file, 'SELECT name FROM saved_search').map(({ name }) => name);
  await save('then');
  const { facts } = await perform({ kind: 'back-up', folder: makeFolder() });
  await save('since');
  const folder = String(facts['folder']);
  const restored = await perform({ kind: 'restore', folder, connectionIds: [], withNotebook: true });
  expect(restored).toMatchObject({ state: 'done', facts: { libraryCount: 0, hasNotebook: true } });
  // What is saved until the next start is put aside too.
  await save('later');
  expect(namesIn('notebook.sqlite')).toHaveLength(3);
  if (isTakenBack) await undo();
  await window.restart();
  const mine = ['then', 'since', 'later'];
  expect(namesIn('notebook.sqlite')).toEqual(isTakenBack ? mine : ['then']);
  if (!isTakenBack) expect(namesIn('notebook.replaced-')).toEqual(mine);
});

it.each([
  ['with another byte', (folder: string, name: string) => flipByte(join(folder, name))],
  [
    'with a path out of its folder',
    (folder: string) => edit(folder, (text) => text.replace('library-', '../library-')),
  ],
  ['of another form', (folder: string) => edit(folder, () => '{"format":"swath-backup"}')],
])('refuses a backup %s, and changes nothing', async (_name, spoil) => {
  const { perform, countItems, connectionId } = await openStorage(50);
  const { facts } = await perform({ kind: 'back-up', folder: makeFolder() });
  const folder = String(facts['folder']);
  spoil(folder, `library-${connectionId}.sqlite`);
  const outcome = await perform({ kind: 'restore', folder, connectionIds: null, withNotebook: false });
  expect(outcome.state).toBe('failed');
  expect(['library.not-a-backup', 'library.corrupt']).toContain(outcome.error?.code);
  expect(await countItems()).toBe(50);
});

function flipByte(path: string): void {
  const bytes = readFileSync(path);
  bytes[5000] = (bytes[5000] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

function edit(folder: string, change: (text: string) => string): void {
  const path = join(folder, 'backup.json');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

it('moves the libraries to another folder, goes on there, and takes that back', async () => {
  const { connectionId, perform, undo, status, countItems } = await openStorage(200);
  const folder = makeFolder();
  const before = status().folder;
  expect(await perform({ kind: 'move', folder })).toMatchObject({ state: 'done', canUndo: true });
  expect(readdirSync(folder)).toContain(`library-${connectionId}.sqlite`);
  expect(readdirSync(before).filter((name) => name.startsWith('library-'))).toEqual([]);
  expect(await countItems()).toBe(200);
  expect(status()).toMatchObject({ folder, isOwnFolder: false });
  expect(await undo()).toMatchObject({ state: 'done', kind: 'move' });
  expect(status()).toMatchObject({ folder: before, isOwnFolder: true });
  expect(readdirSync(folder)).toEqual([]);
  expect(await countItems()).toBe(200);
});

it('finds nothing wrong with a sound library, and compacts it', async () => {
  const { window, connectionId, perform } = await openStorage(2000);
  expect(await perform({ kind: 'verify', connectionId, isThorough: true })).toMatchObject({
    state: 'done',
    facts: { itemCount: 2000, readCount: 2000, problemCount: 0 },
  });
  await window.client.storage.setLimits({ sizeBytes: 1_000_000, ageDays: null });
  await perform({ kind: 'evict' });
  const compacted = await perform({ kind: 'compact', connectionId });
  expect(compacted).toMatchObject({ state: 'done' });
  expect((await window.client.storage.usage({ connectionId })).freeBytes).toBe(0);
});
