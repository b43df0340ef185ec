import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openNotebook } from '../notebook/notebook.ts';
import { noProgress } from '../notebook/offline-job-store.ts';
import { silentLogger, systemClock } from '../ports.ts';
import { openHealthyNotebook } from './open-healthy-notebook.ts';

const pageBytes = 4096;
const question = { query: { collections: ['c'] }, localFilter: null, maxItems: null };
const geometry = { type: 'Point' as const, coordinates: [7, 46] };
const terms = {
  choice: { keys: ['red'], roles: [], bands: [], pattern: '', exceptKeys: [] },
  destination: join(tmpdir(), 'out'),
  links: 'auto' as const,
  maxFiles: 10,
  maxBytes: null,
  everyHours: 24,
};
const rule = { keys: ['red'], roles: [], bands: [], pattern: '', exceptKeys: [] };
const parts = { clock: systemClock, logger: silentLogger };

/** A notebook with something of each kind, closed. */
function makeNotebook(): { folder: string; filePath: string } {
  const folder = mkdtempSync(join(tmpdir(), 'swath-notebook-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const filePath = join(folder, 'notebook.sqlite');
  const notebook = openNotebook({ filePath });
  const { savedSearches, areas, pins, downloadFolders, assetRules } = notebook;
  for (const name of ['Alps', 'Coast', 'Removed'])
    savedSearches.save({ connectionId: 'one', name, question, nowMs: 1000 });
  savedSearches.remove(savedSearches.findByName('one', 'Removed')?.savedSearchId ?? 0, 2000);
  areas.remove(areas.keep({ name: 'Gone', geometry }, 1000));
  const areaId = areas.keep({ name: 'Field', geometry }, 1000);
  pins.add({ connectionId: 'one', kind: 'area', ref: String(areaId) }, 1000);
  pins.add({ connectionId: 'one', kind: 'collection', ref: 'c' }, 1000);
  downloadFolders.note('one', join(folder, 'out'), systemClock.now());
  assetRules.save('one', ['c'], rule);
  notebook.close();
  return { folder, filePath };
}

function spoil(filePath: string, pages: readonly number[]): void {
  const file = openSync(filePath, 'r+');
  for (const page of pages) writeSync(file, randomBytes(pageBytes), 0, pageBytes, page * pageBytes);
  closeSync(file);
}

it('brings back what a person made when the page that names all tables is damaged', () => {
  const { folder, filePath } = makeNotebook();
  spoil(filePath, [0]);
  const damaged = readFileSync(filePath);
  expect(() => openNotebook({ filePath })).toThrow(expect.objectContaining({ code: 'library.corrupt' }));

  const { notebook, recovery } = openHealthyNotebook(filePath, parts);
  const { savedSearches, areas, pins, downloadFolders, assetRules } = notebook;
  expect(recovery?.counts).toEqual({ searches: 2, looks: 0, rules: 0, jobs: 0, areas: 1, pins: 2 });
  expect(readFileSync(recovery?.damagedPath ?? '').equals(damaged)).toBe(true);
  expect(savedSearches.list('one')).toMatchObject([
    { name: 'Alps', question, lookedAtMs: null },
    { name: 'Coast', question },
  ]);
  const [area] = areas.list();
  expect(areas.get(area?.areaId ?? 0)).toEqual({ name: 'Field', geometry });
  expect(pins.list('one')).toEqual([
    { connectionId: 'one', kind: 'area', ref: String(area?.areaId) },
    { connectionId: 'one', kind: 'collection', ref: 'c' },
  ]);
  expect(downloadFolders.list('one')).toEqual([join(folder, 'out')]);
  expect(assetRules.find('one', ['c'])).toEqual([rule]);
  notebook.close();

  const again = openHealthyNotebook(filePath, parts);
  expect(again.recovery).toBeNull();
  expect(again.notebook.savedSearches.list('one')).toHaveLength(2);
  again.notebook.close();
});

it('brings back rules and what is taken offline, to begin anew', () => {
  const { filePath } = makeNotebook();
  const before = openNotebook({ filePath });
  const idOf = (name: string, { savedSearches } = before): number =>
    savedSearches.findByName('one', name)?.savedSearchId ?? 0;
  for (const name of ['Alps', 'Coast'])
    before.downloadRules.save(idOf(name), terms, { isPrimed: true, nowMs: 1000 });
  before.downloadRules.switch(idOf('Coast'), false);
  const ref = { collectionId: 'c', itemId: 'known' };
  before.downloadRules.addMarks(idOf('Alps'), [{ ref, dealtWith: 'all' }]);
  const jobs = before.offlineJobs;
  const choice = { hasPictures: true, assets: null };
  const add = (name: string, progress: object): number => {
    const jobId = jobs.add({ connectionId: 'one', name, question, choice }, 1000);
    jobs.saveProgress(jobId, { ...noProgress, itemCount: 7, matched: 9, ...progress });
    return jobId;
  };
  const ended = { error: null, nowMs: 2000 };
  jobs.setState(add('Whole', { stage: 'end' }), 'done', ended);
  add('Under way', { stage: 'pictures', pictureTotal: 9 });
  jobs.setState(add('In part', { stage: 'end', pictureFailedCount: 2 }), 'done', ended);
  before.close();
  spoil(filePath, [0]);

  const { notebook, recovery } = openHealthyNotebook(filePath, parts);
  expect(recovery?.counts).toMatchObject({ searches: 2, rules: 2, jobs: 3 });
  const { downloadRules } = notebook;
  expect(downloadRules.list('one')).toMatchObject([
    { ...terms, savedSearchId: idOf('Alps', notebook), isOn: true, isPrimed: false },
    { ...terms, savedSearchId: idOf('Coast', notebook), isOn: false, isPrimed: false },
  ]);
  expect(notebook.offlineJobs.list()).toMatchObject([
    { name: 'Whole', state: 'done', finishedAtMs: 2000, progress: { stage: 'end', itemCount: 7 } },
    {
      name: 'Under way',
      state: 'active',
      question,
      choice,
      startedAtMs: 1000,
      progress: { ...noProgress, matched: 9, isCatchingUp: true },
    },
    { name: 'In part', state: 'paused', finishedAtMs: null, progress: { itemCount: 0, isCatchingUp: true } },
  ]);
  notebook.close();
});

/** A notebook in which 1,000 items were seen of two searches; the rule of one dealt with one that nobody has seen. */
function makeLooks() {
  const { filePath } = makeNotebook();
  const before = openNotebook({ filePath });
  const idOf = (name: string, { savedSearches } = before): number =>
    savedSearches.findByName('one', name)?.savedSearchId ?? 0;
  const refs = Array.from({ length: 1000 }, (_, index) => ({
    collectionId: 'c',
    itemId: `item-${String(index).padStart(4, '0')}`,
  }));
  const ordered = { collectionId: 'c', itemId: 'ordered' };
  before.downloadRules.save(idOf('Coast'), terms, { isPrimed: true, nowMs: 1000 });
  before.downloadRules.addMarks(idOf('Coast'), [{ ref: ordered, dealtWith: ['red'] }]);
  for (const name of ['Alps', 'Coast']) {
    before.savedSearches.addSeen(idOf(name), refs);
    before.savedSearches.noteLook(idOf(name), 5000);
  }
  before.close();
  return { filePath, refs, ordered, idOf };
}

function firstPageOf(table: string, filePath: string): number {
  const database = new Database(filePath, { readonly: true });
  const rootPage = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table);
  database.close();
  return Number(rootPage) - 1;
}

it('brings back what was seen of saved searches, as far as its pages can be read', () => {
  const { filePath, refs, ordered, idOf } = makeLooks();
  const lostPage = Math.floor(readFileSync(filePath).indexOf('item-0500') / pageBytes);
  spoil(filePath, [0, lostPage]);

  const { notebook, recovery } = openHealthyNotebook(filePath, parts);
  onTestFinished(() => notebook.close());
  const { savedSearches, downloadRules } = notebook;
  const [alps, coast] = [idOf('Alps', notebook), idOf('Coast', notebook)];
  expect(recovery?.counts).toMatchObject({ searches: 2, looks: 2, rules: 1 });
  expect(savedSearches.list('one')).toMatchObject([{ lookedAtMs: 5000 }, { lookedAtMs: 5000 }]);
  const lost = [alps, coast].map((id) => savedSearches.findUnseen(id, refs));
  expect(lost.flat()).toContain(500);
  expect(lost.flat().length, 'what one page held').toBeLessThan(400);
  expect(savedSearches.findUnseen(alps, [ordered])).toEqual([0]);
  expect(savedSearches.findUnseen(coast, [ordered]), 'what only the rule dealt with').toEqual([0]);
  // It begins anew: what is there at its next run is known to it, and not ordered.
  expect(downloadRules.find(coast)).toMatchObject({ isPrimed: false, isOn: true });
  expect(new Set(downloadRules.dealtWith(coast, refs))).toEqual(new Set([null]));
});

it('calls all of a search with a rule new where what was seen can not be told from what the rule dealt with', () => {
  const { filePath, refs, idOf } = makeLooks();
  spoil(filePath, [firstPageOf('seen_item', filePath)]);
  const { notebook, recovery } = openHealthyNotebook(filePath, parts);
  onTestFinished(() => notebook.close());
  expect(recovery?.counts).toMatchObject({ searches: 2, looks: 1, rules: 1 });
  expect(notebook.savedSearches.list('one')).toMatchObject([{ lookedAtMs: 5000 }, { lookedAtMs: null }]);
  expect(notebook.savedSearches.findUnseen(idOf('Alps', notebook), refs).length).toBeLessThan(100);
  expect(notebook.savedSearches.findUnseen(idOf('Coast', notebook), refs)).toHaveLength(1000);
});

it('finds damage behind a header that is well, and begins anew where nothing can be read', () => {
  const { folder, filePath } = makeNotebook();
  const pageCount = readFileSync(filePath).length / pageBytes;
  spoil(
    filePath,
    Array.from({ length: pageCount - 1 }, (_, index) => index + 1),
  );
  const { notebook, recovery } = openHealthyNotebook(filePath, parts);
  expect(recovery?.counts).toEqual({ searches: 0, looks: 0, rules: 0, jobs: 0, areas: 0, pins: 0 });
  notebook.savedSearches.save({ connectionId: 'one', name: 'New', question, nowMs: 1 });
  notebook.close();
  expect(readdirSync(folder).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
});

it('leaves a notebook that is well as it is', () => {
  const { folder, filePath } = makeNotebook();
  const { notebook, recovery } = openHealthyNotebook(filePath, parts);
  expect([recovery, notebook.savedSearches.list('one').length, notebook.areas.list().length]).toEqual([
    null,
    2,
    1,
  ]);
  notebook.close();
  expect(readdirSync(folder)).toEqual(['notebook.sqlite']);
});
