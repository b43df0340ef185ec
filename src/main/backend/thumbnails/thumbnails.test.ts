import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../library/upkeep/testing/fill-library.ts';
import { openOfflineDesk } from '../offline/testing/offline-desk.ts';
import { startSceneCatalog } from '../offline/testing/scene-catalog.ts';

it('shows a picture that can’t be kept, and says so to those who want it kept', async () => {
  const folder = makeFolder();
  const catalog = await startSceneCatalog(1);
  const { origin } = catalog;
  onTestFinished(() => catalog.cut());
  const desk = openOfflineDesk(folder, { origin });
  onTestFinished(() => desk.close());
  const ref = { collectionId: 'c', itemId: 'scene-0' };
  const page = await desk.source.connection.ask((client) => client.search({}).next({}));
  await desk.library.saveItems(page?.items ?? [], 1);
  const database = new Database(join(folder, 'library.sqlite'));
  database.exec(
    `CREATE TRIGGER full BEFORE INSERT ON thumbnail BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
  );
  database.close();
  expect(await desk.thumbnails.find(ref)).toMatchObject({ mediaType: 'image/gif' });
  await expect(desk.thumbnails.fetch(ref)).rejects.toThrow('full');
});
