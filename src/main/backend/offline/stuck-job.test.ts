import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openOfflineDesk } from './testing/offline-desk.ts';
import { startSceneCatalog } from './testing/scene-catalog.ts';

it('a job ends for whoever waits for it where not even that it failed can be noted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-stuck-'));
  const catalog = await startSceneCatalog(5);
  const desk = openOfflineDesk(folder, { origin: catalog.origin });
  onTestFinished(async () => {
    await desk.close();
    await catalog.cut();
    rmSync(folder, { recursive: true, force: true });
  });
  // As on a full disk: a new row finds room, and nothing is changed any more.
  const notebook = new Database(join(folder, 'notebook.sqlite'));
  notebook.exec(
    `CREATE TRIGGER is_full BEFORE UPDATE ON offline_job BEGIN SELECT RAISE(ABORT, 'no room'); END`,
  );
  notebook.close();
  const jobId = desk.takeOffline.start({
    connectionId: 'test',
    name: 'All',
    question: { query: {}, localFilter: null, maxItems: null },
    choice: { hasPictures: false, assets: null },
  });
  const settled = desk.takeOffline.waitUntilSettled(jobId, AbortSignal.timeout(20_000));
  await expect(settled).rejects.toThrow('no room');
});
