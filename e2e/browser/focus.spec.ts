import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeMbtiles } from '../../src/main/backend/basemaps/testing/write-mbtiles.ts';
import { writePicture } from '../../src/main/backend/basemaps/testing/write-tiles.ts';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('the list of basemaps opens with the focus on the one in use', async ({ page, swath }) => {
  const tiles = [{ z: 0, x: 0, y: 0, bytes: writePicture([30, 160, 90]) }];
  await new SearchWindow(page).open();
  for (const name of ['North', 'South']) {
    writeMbtiles(join(swath.homeDir, `${name}.mbtiles`), { tiles, metadata: { name, format: 'png' } });
    await page.getByRole('button', { name: 'Basemap' }).click();
    await page.getByRole('button', { name: 'Add a basemap…' }).click();
    const list = page.getByRole('list', { name: 'Folders and maps' });
    await list.getByRole('button', { name: new RegExp(name) }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Basemap' }).press('Enter');
  await expect(page.getByRole('radio', { name: /South/ })).toBeFocused();
});

test('the focus goes to the tab when the last failed row is tried again, and with the button of an empty list', async ({
  page,
  swath,
}) => {
  const window = new SearchWindow(page);
  await window.open();
  await window.chooseCollections('Sentinel-2');
  await window.search();
  await window.rows.first().click();
  await page.getByRole('list', { name: 'Assets' }).getByRole('checkbox').first().click();
  await page.getByRole('button', { name: 'Download…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start download' }).click();
  await page.getByRole('button', { name: 'Show downloads' }).first().click();
  const row = page.getByRole('row', { name: / · / }).last();
  await expect(row).toContainText(/Verified|Not verifiable/, { timeout: 45_000 });

  const folder = join(swath.homeDir, 'Downloads');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile() && !one.name.endsWith('.json')))
    rmSync(join(entry.parentPath, entry.name));
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: /Verify again/ }).click();
  await expect(page.getByText('1 missing of 1 file')).toBeVisible();
  await page.getByRole('button', { name: /^Failed 1/ }).click();
  await page
    .getByRole('button', { name: /^Try .* again$/ })
    .last()
    .press('Enter');
  await expect(page.getByText('Nothing failed')).toBeVisible();
  await expect(page.getByText('1 missing of 1 file')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Failed 0/ })).toBeFocused();
  await page.getByRole('button', { name: 'Show all' }).press('Enter');
  await expect(page.getByRole('button', { name: /^All 1/ })).toBeFocused();

  await expect(row).toContainText(/Verified|Not verifiable/, { timeout: 45_000 });
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: /Verify again/ }).click();
  await expect(page.getByText('1 file as it came')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect(page.getByRole('button', { name: /^All 1/ })).toBeFocused();
});
