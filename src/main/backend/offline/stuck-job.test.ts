import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openOfflineDesk } from './testing/offline-desk.ts';
import { startSceneCatalog } from './testing/scene-catalog.ts';

/** A program whose notebook takes new rows, but not every change: as on a disk that has just become full. */
async function openFullDesk(when: string) {
  const folder = mkdtempSync(join(tmpdir(), 'swath-stuck-'));
  const catalog = await startSceneCatalog(5);
  const { takeOffline, close } = openOfflineDesk(folder, { origin: catalog.origin });
  const notebook = new Database(join(folder, 'notebook.sqlite'));
  onTestFinished(async () => {
    await close();
    notebook.close();
    await catalog.cut();
    rmSync(folder, { recursive: true, force: true });
  });
  notebook.exec(
    `CREATE TRIGGER is_full BEFORE UPDATE ON offline_job WHEN ${when} BEGIN SELECT RAISE(ABORT, 'no room'); END`,
  );
  const jobId = takeOffline.start({
    connectionId: 'test',
    name: 'All',
    question: { query: { limit: 2 }, localFilter: null, maxItems: null },
    choice: { hasPictures: false, assets: null },
  });
  const settle = () => takeOffline.waitUntilSettled(jobId, AbortSignal.timeout(20_000));
  return { catalog, notebook, takeOffline, jobId, settle };
}

it('a job of which nothing can be noted is a failed one, and goes on once there is room', async () => {
  const { notebook, takeOffline, jobId, settle } = await openFullDesk('true');
  expect(await settle()).toMatchObject({ state: 'failed', error: { message: 'no room' } });
  notebook.exec('DROP TRIGGER is_full');
  takeOffline.goOn(jobId);
  expect(await settle()).toMatchObject({ state: 'done', error: null, itemCount: 5 });
});

it('a job that fails says of what, though that can’t be noted', async () => {
  const { catalog, settle } = await openFullDesk(`NEW.state = 'failed'`);
  catalog.turnsBackAfter = 1;
  const job = await settle();
  expect(job.state).toBe('failed');
  expect(job.error?.message).toContain('came to no end');
});
