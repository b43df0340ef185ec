import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OfflineJob, OfflineJobState } from '#shared/offline/offline-job.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import { noProgress } from '../notebook/offline-job-store.ts';
import { openOfflineDesk, until, type OfflineDesk as Desk } from './testing/offline-desk.ts';
import { startSceneCatalog, type SceneCatalog } from './testing/scene-catalog.ts';

const itemCount = 57;
const question: SavedQuestion = { query: { limit: 10 }, localFilter: null, maxItems: null };
const order = {
  connectionId: 'test',
  name: 'All',
  question,
  choice: { hasPictures: true, assets: null },
};

let folder: string;
let catalog: SceneCatalog;
let desk: Desk;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'swath-offline-'));
  catalog = await startSceneCatalog(itemCount);
});
afterEach(async () => {
  await desk.close();
  await catalog.cut();
  rmSync(folder, { recursive: true, force: true });
});

const open = (): Desk => (desk = openOfflineDesk(folder, { origin: catalog.origin }));

const settled = ({ takeOffline }: Desk, jobId: number): Promise<OfflineJob> =>
  takeOffline.waitUntilSettled(jobId, AbortSignal.timeout(20_000));

const isIn = (state: OfflineJobState) => (job: OfflineJob) => job.state === state;

function expectEverything({ library }: Desk, job: OfflineJob): void {
  expect(job).toMatchObject({
    state: 'done',
    stage: 'end',
    itemCount,
    matched: itemCount,
    missedCount: 0,
    pictureCount: itemCount,
    pictureTotal: itemCount,
    pictureFailedCount: 0,
  });
  expect(library.countItems()).toBe(itemCount);
  // The record of the whole answer, without repeats.
  const [past, ...others] = library.pastSearches({ limit: 10 });
  expect(past).toMatchObject({ query: question.query, count: itemCount, isComplete: true });
  expect(others).toEqual([]);
  const refs = Array.from({ length: itemCount }, (_, index) => ({
    collectionId: 'c',
    itemId: `scene-${String(index)}`,
  }));
  expect(refs.filter((ref) => library.thumbnail(ref) === null)).toEqual([]);
  expect(refs.filter((ref) => library.item(ref)?.value.isPartial !== undefined)).toEqual([]);
}

const pagesAsked = (): number[] => catalog.asked.flatMap(({ page, ids }) => (ids ? [] : [page]));

describe('taking a question offline', () => {
  it('brings every item and every picture, once', async () => {
    open();
    const job = await settled(desk, desk.takeOffline.start(order));
    expectEverything(desk, job);
    expect(pagesAsked()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(catalog.pictures).toHaveLength(itemCount);
    expect(job.receivedBytes).toBeGreaterThan(itemCount * 200);
  });

  it('brings whole items for a question that asks for little of each', async () => {
    open();
    const fields = { include: ['id', 'collection'] };
    const light = { ...order, question: { ...question, query: { ...question.query, fields } } };
    expectEverything(desk, await settled(desk, desk.takeOffline.start(light)));
  });

  it.each([
    ['of each collection that the question names', ['c']],
    ['of all that the catalog lists where it names none', undefined],
  ])('brings what can be asked, once, %s', async (_name, collections) => {
    open();
    const query = { ...question.query, ...(collections && { collections }) };
    catalog.beforePage = (page) => {
      if (page === 2) desk.takeOffline.pause(1);
    };
    const jobId = desk.takeOffline.start({ ...order, question: { ...question, query } });
    await settled(desk, jobId);
    catalog.beforePage = () => undefined;
    desk.takeOffline.goOn(jobId);
    expect(await settled(desk, jobId)).toMatchObject({ state: 'done', itemCount });
    expect(catalog.queryablesAsked).toEqual(['/queryables', '/collections/c/queryables']);

    const { library } = desk;
    expect(library.collections()?.value.map(({ id }) => id)).toEqual(['c']);
    expect(library.queryables([])?.value).toEqual(library.queryables(['c'])?.value);
    // As the catalog answers: nothing has a property that isn't there, and a number is no text.
    const ask = (filter: SearchQuery['query']) => library.engine.search({ query: filter }, { limit: 1 });
    expect((await ask({ unheard: { neq: 1 } })).items).toEqual([]);
    await expect(ask({ gsd: { eq: 'ten' } })).rejects.toMatchObject({ code: 'stac.query-rejected' });
  });

  it('brings every item where the catalog doesn’t say what can be asked', async () => {
    open();
    catalog.hidesQueryables = true;
    expectEverything(desk, await settled(desk, desk.takeOffline.start(order)));
    expect(desk.library.queryables(['c'])).toBeNull();
  });

  it('goes on after the last page that is there when the program was killed', async () => {
    const child = spawn(process.execPath, [
      join(import.meta.dirname, 'testing', 'take-offline-child.ts'),
      folder,
      catalog.origin,
    ]);
    for await (const line of createInterface({ input: child.stdout })) {
      if (Number.parseInt(line, 10) >= 30) break;
    }
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const before = pagesAsked();
    catalog.asked.length = 0;

    open();
    desk.takeOffline.goOnWithAll();
    const [job] = desk.takeOffline.list('test');
    expectEverything(desk, await settled(desk, job?.jobId ?? 0));
    expect(before.length).toBeGreaterThanOrEqual(3);
    // At most the page that was on its way when it was killed is asked for again.
    expect(pagesAsked().filter((page) => before.includes(page) && page < before.length - 1)).toEqual([]);
  });

  it('begins with names only, and fetches what is missing, when the catalog has forgotten the place', async () => {
    open();
    catalog.beforePage = (page) => {
      if (page === 3) desk.takeOffline.pause(1);
    };
    const jobId = desk.takeOffline.start(order);
    expect(await settled(desk, jobId)).toMatchObject({ state: 'paused', itemCount: 30 });
    catalog.beforePage = () => undefined;
    catalog.forgetPlaces();
    catalog.asked.length = 0;
    desk.takeOffline.goOn(jobId);
    const job = await settled(desk, jobId);
    expect(job).toMatchObject({ state: 'done', itemCount, pictureCount: itemCount });
    const [refused, ...others] = catalog.asked;
    expect(refused).toMatchObject({ page: 3 });
    expect(others.filter(({ ids }) => ids === null).every(({ isLight }) => isLight)).toBe(true);
    const fetchedAgain = others.flatMap(({ ids }) => ids ?? []);
    expect(fetchedAgain.slice(0, 27)).toEqual(
      Array.from({ length: 27 }, (_, index) => `scene-${String(index + 30)}`),
    );
    expect(desk.library.pastSearch(job.searchNumber ?? 0)).toMatchObject({
      count: itemCount,
      isComplete: true,
    });
  });

  it('waits while the network is away, and goes on by itself', async () => {
    open();
    catalog.beforePage = (page) => (page === 2 ? catalog.cut() : undefined);
    const jobId = desk.takeOffline.start(order);
    expect(await until(desk, isIn('waiting'))).toMatchObject({
      itemCount: 20,
      error: { code: 'network.offline' },
    });
    catalog.beforePage = () => undefined;
    await catalog.mend();
    expectEverything(desk, await settled(desk, jobId));
    expect(pagesAsked().filter((page) => page === 1)).toHaveLength(1);
  });

  it('goes on at the other server when the catalog’s address is changed meanwhile', async () => {
    const other = await startSceneCatalog(itemCount);
    try {
      open();
      catalog.beforePage = (page) => (page === 2 ? desk.moveTo(other.origin) : undefined);
      const jobId = desk.takeOffline.start(order);
      expectEverything(desk, await settled(desk, jobId));
      expect(catalog.asked.filter(({ page, ids }) => !ids && page > 2)).toEqual([]);
      expect([catalog.pictures.length, other.pictures.length]).toEqual([0, itemCount]);
    } finally {
      await other.cut();
    }
  });

  it('loses no picture when the network goes between two of them', async () => {
    open();
    // Within a round: some of its pictures have come, and the others fail.
    catalog.beforePicture = () => (catalog.pictures.length > 9 ? catalog.cut() : undefined);
    const jobId = desk.takeOffline.start(order);
    const { pictureCount } = await until(desk, isIn('waiting'));
    expect(pictureCount).toBeGreaterThan(0);
    catalog.beforePicture = () => undefined;
    await catalog.mend();
    expectEverything(desk, await settled(desk, jobId));
  });

  it('counts the pictures that can’t be had, and brings them when it is asked again', async () => {
    open();
    catalog.brokenPictures.add('scene-7');
    const jobId = desk.takeOffline.start(order);
    expect(await settled(desk, jobId)).toMatchObject({
      state: 'done',
      pictureCount: itemCount - 1,
      pictureFailedCount: 1,
    });
    catalog.brokenPictures.clear();
    catalog.pictures.length = 0;
    desk.takeOffline.goOn(jobId);
    expectEverything(desk, await settled(desk, jobId));
    expect(new Set(catalog.pictures)).toEqual(new Set(['scene-7']));
  });

  const unauthorized = { status: 401, text: '' };
  const hotelPage = { status: 200, text: '<html><title>Sign in</title></html>' };

  it.each([
    ['wants a login', unauthorized, null, 'auth.required'],
    ['lets nobody in', { status: 403, text: '' }, null, 'auth.forbidden'],
    ['is hidden by a page of the network', hotelPage, hotelPage, 'network.sign-in'],
  ])('loses no picture while the catalog %s', async (_name, inPlace, inPlaceOfPictures, code) => {
    const tries = Promise.withResolvers<undefined>();
    desk = openOfflineDesk(folder, { origin: catalog.origin, wait: () => tries.promise });
    catalog.beforePicture = () => {
      if (catalog.pictures.length > 9) Object.assign(catalog, { inPlace, inPlaceOfPictures });
    };
    const jobId = desk.takeOffline.start(order);
    const job = await until(desk, isIn('waiting'));
    expect(job).toMatchObject({ pictureFailedCount: 0, error: { code } });
    expect(job.pictureCount).toBeGreaterThan(0);
    Object.assign(catalog, { beforePicture: () => undefined, inPlace: null, inPlaceOfPictures: null });
    tries.resolve(undefined);
    expectEverything(desk, await settled(desk, jobId));
  });

  it('waits while a page of the network is in place of the items', async () => {
    const tries = Promise.withResolvers<undefined>();
    desk = openOfflineDesk(folder, { origin: catalog.origin, wait: () => tries.promise });
    catalog.beforePage = (page) => {
      if (page === 2) catalog.inPlace = hotelPage;
    };
    const jobId = desk.takeOffline.start(order);
    expect(await until(desk, isIn('waiting'))).toMatchObject({ error: { code: 'network.sign-in' } });
    Object.assign(catalog, { beforePage: () => undefined, inPlace: null });
    tries.resolve(undefined);
    expectEverything(desk, await settled(desk, jobId));
  });

  it('goes on as soon as a person has logged in', async () => {
    open();
    catalog.beforePicture = () => void (catalog.inPlace = unauthorized);
    const jobId = desk.takeOffline.start(order);
    await until(desk, isIn('waiting'));
    Object.assign(catalog, { beforePicture: () => undefined, inPlace: null });
    await desk.source.connection.retry();
    expectEverything(desk, await settled(desk, jobId));
  });

  it('passes over pictures that are none, where the catalog is well', async () => {
    open();
    catalog.inPlaceOfPictures = hotelPage;
    expect(await settled(desk, desk.takeOffline.start(order))).toMatchObject({
      state: 'done',
      pictureCount: 0,
      pictureFailedCount: itemCount,
    });
  });

  it.each([[[]], [['scene-3']]])(
    'fails where the pages lead in a circle, with %j unreadable',
    async (ids) => {
      open();
      catalog.turnsBackAfter = 2;
      catalog.unreadable = new Set(ids);
      const jobId = desk.takeOffline.start(order);
      const failed = await settled(desk, jobId);
      expect(failed).toMatchObject({
        state: 'failed',
        stage: 'end',
        error: { code: 'stac.invalid-response' },
        missedCount: ids.length,
        itemCount: 30 - ids.length,
        pictureCount: 30 - ids.length,
      });
      expect(desk.library.pastSearch(failed.searchNumber ?? 0)).toMatchObject({ isComplete: false });

      catalog.turnsBackAfter = null;
      catalog.unreadable.clear();
      desk.takeOffline.goOn(jobId);
      expect(await settled(desk, jobId)).toMatchObject({ state: 'done', itemCount, pictureCount: itemCount });
    },
  );

  it('goes on with a job that another process seems to be at, when that gave no sign for long', async () => {
    // The parent of this process runs, and is no Swath.
    const beganBy = (jobId: number, seenAtMs: number) => {
      const progress = { ...noProgress, runnerPid: process.ppid, seenAtMs };
      desk.notebook.offlineJobs.saveProgress(jobId, progress);
      desk.takeOffline.goOnWithAll();
    };
    const jobId = open().notebook.offlineJobs.add(order, Date.now());
    beganBy(jobId, Date.now());
    expect(await until(desk, isIn('waiting'))).toMatchObject({ error: { code: 'library.in-use' } });
    await desk.close();
    open();
    beganBy(jobId, Date.now() - 3_600_000);
    expectEverything(desk, await settled(desk, jobId));
  });

  it('stops where it is told to, and what came stays', async () => {
    open();
    catalog.beforePage = (page) => {
      if (page === 2) desk.takeOffline.cancel(1);
    };
    const jobId = desk.takeOffline.start(order);
    expect(await settled(desk, jobId)).toMatchObject({ state: 'cancelled', itemCount: 20 });
    desk.takeOffline.remove(jobId);
    expect(desk.takeOffline.list('test')).toEqual([]);
    expect(desk.library.countItems()).toBe(20);
  });

  it('leaves alone the search that has the number of its forgotten record', async () => {
    open();
    catalog.beforePage = (page) => {
      if (page === 2) desk.takeOffline.pause(1);
    };
    const { jobId, searchNumber } = await settled(desk, desk.takeOffline.start(order));
    catalog.beforePage = () => undefined;
    await desk.library.settle();
    await desk.library.forgetSearch(searchNumber ?? 0);
    // From then on it can't be taken back.
    await desk.close();
    const { library } = open();
    const items = Array.from({ length: 20 }, (_, index) => ({
      collectionId: 'c',
      itemId: `scene-${String(index)}`,
    }));
    const other = { query: { ids: ['scene-0'] }, localFilter: null, items, leftOutCount: 0 };
    const itsNumber = await library.saveSearch({ ...other, matched: 20, isComplete: true }, 1);
    expect(itsNumber).toBe(searchNumber);
    desk.takeOffline.goOn(jobId);
    expect(await settled(desk, jobId)).toMatchObject({ state: 'done', itemCount });
    expect(library.pastSearch(itsNumber)).toMatchObject({ query: other.query, count: 20 });
  });

  it('puts chosen files into the download queue once, however often it is gone on with', async () => {
    open();
    const rule = { keys: ['data'], roles: [], bands: [], pattern: '', exceptKeys: [] };
    const assets = { rule, destination: folder, links: 'auto' as const };
    const some = { ...order, question: { ...question, query: { ids: ['scene-1', 'scene-2'] } } };
    const jobId = desk.takeOffline.start({ ...some, choice: { hasPictures: false, assets } });
    expect(await settled(desk, jobId)).toMatchObject({ state: 'done', fileCount: 2, fileFailedCount: 0 });
    const again = { ...some, name: 'Again', choice: { hasPictures: true, assets } };
    expect(await settled(desk, desk.takeOffline.start(again))).toMatchObject({ fileCount: 2 });
    expect(desk.downloads.transfers().map(({ itemId }) => itemId)).toEqual(['scene-1', 'scene-2']);
  });

  it('comes to the end where the catalog forgets a place while it is on its way', async () => {
    open();
    catalog.beforePage = (page) => {
      if (page === 2) catalog.forgetPlaces();
    };
    expectEverything(desk, await settled(desk, desk.takeOffline.start(order)));
  });
});
