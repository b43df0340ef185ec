import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OfflineJob } from '#shared/offline/offline-job.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { openOfflineDesk, type OfflineDesk as Desk } from './testing/offline-desk.ts';
import { startSceneCatalog, type SceneCatalog } from './testing/scene-catalog.ts';

const itemCount = 25;
const order = {
  connectionId: 'test',
  name: 'All',
  question: { query: { limit: 10 }, localFilter: null, maxItems: null },
  choice: { hasPictures: true, assets: null },
};

let folder: string;
let catalog: SceneCatalog;
let desk: Desk;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'swath-jobs-'));
  catalog = await startSceneCatalog(itemCount);
  desk = openOfflineDesk(folder, { origin: catalog.origin });
});
afterEach(async () => {
  await desk.close();
  await catalog.cut();
  rmSync(folder, { recursive: true, force: true });
});

const settled = ({ takeOffline }: Desk, jobId: number): Promise<OfflineJob> =>
  takeOffline.waitUntilSettled(jobId, AbortSignal.timeout(20_000));

it('is there again after it was removed: to be gone on with, or as it ended', async () => {
  catalog.brokenPictures.add('scene-7');
  const { jobId } = await settled(desk, desk.takeOffline.start(order));
  desk.takeOffline.remove(jobId);
  desk.takeOffline.restore(jobId);
  const [again] = desk.takeOffline.list('test');
  expect(again).toMatchObject({ name: 'All', state: 'paused' });
  catalog.brokenPictures.clear();
  desk.takeOffline.goOn(again?.jobId ?? 0);
  const done = await settled(desk, again?.jobId ?? 0);
  expect(done).toMatchObject({ state: 'done', itemCount, pictureTotal: itemCount, pictureFailedCount: 0 });

  desk.takeOffline.remove(done.jobId);
  expect(desk.takeOffline.list('test')).toEqual([]);
  desk.takeOffline.restore(done.jobId);
  const [restored] = desk.takeOffline.list('test');
  expect(restored).toEqual({ ...done, jobId: restored?.jobId });
  expect(() => desk.takeOffline.restore(done.jobId)).toThrow('Nothing is being taken offline');
});

it('stands once in the list when it was done again, and beside what has another name', async () => {
  const { jobId: other } = await settled(desk, desk.takeOffline.start({ ...order, name: 'Other' }));
  await settled(desk, desk.takeOffline.start(order));
  const asked = catalog.asked.length;
  const again = await settled(desk, desk.takeOffline.start(order));
  expect(catalog.asked.length).toBeGreaterThan(asked);
  const listed = (): number[] => desk.takeOffline.list('test').map(({ jobId }) => jobId);
  await eventually(() => expect(listed()).toEqual([again.jobId, other]));
});
