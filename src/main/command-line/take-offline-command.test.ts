import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSceneCatalog } from '../backend/offline/testing/scene-catalog.ts';
import { collectOutcome, startSwath, type Outcome } from './testing/run-swath.ts';

async function openCatalog() {
  const folder = mkdtempSync(join(tmpdir(), 'swath-take-offline-'));
  const catalog = await startSceneCatalog(25);
  onTestFinished(async () => {
    await catalog.cut();
    rmSync(folder, { recursive: true, force: true });
  });
  const take = (): Promise<Outcome> => {
    const where = ['--data-dir', folder, '--base-url', catalog.origin];
    return collectOutcome(startSwath([...where, 'take-offline', '--limit', '10', '--thumbnails']));
  };
  return { catalog, take };
}

it('swath take-offline refuses a name that nothing could show', async () => {
  const { code, stderr } = await collectOutcome(startSwath(['take-offline', '--name', 'x'.repeat(121)]));
  expect(code).toBe(2);
  expect(stderr).toContain('a name of 1 to 120 characters is needed');
}, 60_000);

it('swath take-offline says that the pages came to no end, and fails', async () => {
  const { catalog, take } = await openCatalog();
  catalog.turnsBackAfter = 1;
  const { code, stderr } = await take();
  expect(code, stderr).toBe(1);
  expect(stderr).toContain('20 items are in the library, 20 thumbnails');
  expect(stderr).toContain('came to no end');
}, 60_000);

it('swath take-offline ends where the catalog wants another token, and goes on with it', async () => {
  const { catalog, take } = await openCatalog();
  catalog.beforePage = (page) => {
    if (page === 1) catalog.inPlace = { status: 401, text: '' };
  };
  const { code, stderr } = await take();
  expect(code, stderr).toBe(3);
  Object.assign(catalog, { beforePage: () => undefined, inPlace: null });
  const again = await take();
  expect(again.code, again.stderr).toBe(0);
  expect(again.stderr).toContain('25 items are in the library, 25 thumbnails');
}, 60_000);
