import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { decode } from 'fast-png';
import { writeMbtiles } from '../../src/main/backend/basemaps/testing/write-mbtiles.ts';
import { writePicture, writeVectorTile } from '../../src/main/backend/basemaps/testing/write-tiles.ts';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

const green = [30, 160, 90] as const;

// A picture of the page takes long on a busy computer.
const paintTime = { timeout: 30_000 };

/** The same tile for each place of the first zooms. */
function tilesOf(bytes: Buffer) {
  return [0, 1, 2, 3].flatMap((z) =>
    Array.from({ length: 4 ** z }, (_, i) => ({ z, x: i % 2 ** z, y: Math.floor(i / 2 ** z), bytes })),
  );
}

/** A map that is all of one colour. */
function writePlan(filePath: string): void {
  const metadata = { name: 'Plan', format: 'png', attribution: '<img src=x onerror=alert(1)>© Plan makers' };
  writeMbtiles(filePath, { tiles: tilesOf(writePicture(green)), metadata });
}

/** The colour of the map a bit beside its middle, away from lines and tools. */
async function colourOfMap(page: Page): Promise<number[]> {
  const box = await new SearchWindow(page).map.boundingBox();
  if (!box) throw new Error('The map is not there');
  const clip = { x: box.x + box.width * 0.6, y: box.y + box.height * 0.7, width: 40, height: 40 };
  const { data, channels } = decode(await page.screenshot({ clip }));
  return [...data.slice(channels * (5 * 40 + 5), channels * (5 * 40 + 5) + 3)];
}

test('a map whose tiles can’t be read is said to be damaged', async ({ page, swath }) => {
  // Packed tiles that break off after their first bytes.
  const tiles = tilesOf(Buffer.from('1f8b080000000000', 'hex'));
  const metadata = { name: 'Worn', format: 'pbf', minzoom: '0', maxzoom: '3' };
  writeMbtiles(join(swath.homeDir, 'broken.mbtiles'), { tiles, metadata });
  const others = tiles.filter(({ z }) => z > 0);
  const readable = { z: 0, x: 0, y: 0, bytes: writeVectorTile([]) };
  writeMbtiles(join(swath.homeDir, 'worn.mbtiles'), { tiles: [readable, ...others], metadata });
  await new SearchWindow(page).open();
  await page.getByRole('button', { name: 'Basemap' }).click();
  await page.getByRole('button', { name: 'Add a basemap…' }).click();
  const files = page.getByRole('list', { name: 'Folders and maps' });
  await files.getByRole('button', { name: /broken\.mbtiles/ }).click();
  await expect(page.getByRole('dialog').getByText(/Its tiles can’t be read/)).toBeVisible();
  await files.getByRole('button', { name: /worn\.mbtiles/ }).click();
  await expect(page.getByText('A part of “Worn” can’t be shown')).toBeVisible();
  await expect(page.getByText(/Get the file again/)).toBeVisible();
  await page.getByRole('button', { name: 'Basemap' }).click();
  await page.getByRole('button', { name: 'Remove Worn from the list' }).click();
});

test('a map of one’s own lies under the footprints, with no network', async ({ page, swath }) => {
  test.slow();
  writePlan(join(swath.homeDir, 'plan.mbtiles'));
  const foreign: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== swath.origin) foreign.push(request.url());
  });
  const window = new SearchWindow(page);
  await window.open();
  expect(await colourOfMap(page)).not.toEqual([...green]);

  await page.getByRole('button', { name: 'Basemap' }).click();
  await page.getByRole('button', { name: 'Add a basemap…' }).click();
  await page
    .getByRole('list', { name: 'Folders and maps' })
    .getByRole('button', { name: /plan\.mbtiles/ })
    .click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => colourOfMap(page), paintTime).toEqual([...green]);
  await expect(window.map.getByText('© Plan makers')).toBeVisible();

  await page.reload();
  await expect.poll(() => colourOfMap(page), paintTime).toEqual([...green]);

  await page.getByRole('button', { name: 'Basemap' }).click();
  const remove = page.getByRole('button', { name: 'Remove Plan from the list' });
  // However long the path beside it is.
  await expect(remove).toBeInViewport({ ratio: 1 });
  await remove.click();
  await expect(page.getByRole('radio', { name: 'Built in' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect.poll(() => colourOfMap(page), paintTime).not.toEqual([...green]);

  const notice = page.getByText('“Plan” was taken off the list');
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => colourOfMap(page), paintTime).toEqual([...green]);
  expect(foreign).toEqual([]);
});
