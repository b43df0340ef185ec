import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

interface ItemJson {
  id: string;
  collection: string;
  assets: Record<string, Record<string, unknown>>;
}

test('an opened item tells what it is', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2');
  await swath.search();
  await swath.rows.first().click();
  await expect(page.getByRole('heading', { name: /^\d+ \w+ 2026, \d\d:\d\d:\d\d UTC$/ })).toBeFocused();
  const properties = page.getByRole('region', { name: 'Properties' });
  await expect(properties).toContainText(/Cloud cover\s*[\d.]+ %/);
  await expect(properties).toContainText(/Sun elevation\s*[\d.]+°/);
  await expect(page.getByRole('list', { name: 'Assets' })).toContainText('Cloud-Optimized GeoTIFF');

  const first = await page.locator('.head .id .mono').innerText();
  await page.keyboard.press('j');
  await expect(page.locator('.head .id .mono')).not.toHaveText(first);
  await page.keyboard.press('k');
  await expect(page.locator('.head .id .mono')).toHaveText(first);
  await page.keyboard.press('Escape');
  await expect(swath.results).toBeFocused();
});

test('chosen assets arrive on disk as the catalog announced them', async ({ page, swath: running }) => {
  const swath = new SearchWindow(page);
  await mkdir(join(running.homeDir, 'Field disk'));
  await swath.open();
  await swath.chooseCollections('Sentinel-2');
  await swath.search();
  await swath.rows.nth(1).click();
  await page.getByRole('button', { name: 'Raw JSON' }).click();
  const item = JSON.parse(
    await page.getByRole('region', { name: 'the item', exact: true }).innerText(),
  ) as ItemJson;
  const [key, asset] = smallestVerifiable(item);
  await page
    .getByRole('checkbox', { name: typeof asset['title'] === 'string' ? asset['title'] : key, exact: true })
    .click();
  await expect(page.getByText(/^1 asset · /)).toBeVisible();

  await page.getByRole('button', { name: 'Download…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/ free/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Choose…' }).click();
  const path = dialog.getByRole('textbox', { name: 'Path of the folder' });
  await expect(path).not.toHaveValue('');
  await path.fill(join(running.homeDir, 'No disk'));
  await dialog.getByRole('button', { name: 'Use this folder' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await path.fill(running.homeDir);
  await path.press('Enter');
  await dialog.getByRole('button', { name: 'Field disk' }).click();
  await dialog.getByRole('textbox', { name: 'Name of a new folder' }).fill('from Swath');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const destination = join(running.homeDir, 'Field disk', 'from Swath');
  await expect(path).toHaveValue(destination);
  await dialog.getByRole('button', { name: 'Use this folder' }).click();
  await dialog.getByRole('button', { name: 'Start download' }).click();

  await expect(page.getByText('1 file queued')).toBeVisible();
  await page.getByRole('button', { name: 'Show downloads' }).first().click();
  const row = page.getByRole('row', { name: new RegExp(`${key} ·`) });
  await expect(row).toContainText('Verified', { timeout: 45_000 });

  const folder = join(destination, item.collection, String(yearOf(item)), item.id);
  const files = await readdir(folder);
  expect(files).toEqual(expect.arrayContaining(['item.json', 'receipt.json']));
  expect(files.filter((name) => name.endsWith('.part'))).toEqual([]);
  const [name = ''] = files.filter((file) => !file.endsWith('.json') && !file.startsWith('.'));
  const file = join(folder, name);
  expect((await stat(file)).size).toBe(asset['file:size']);
  // A multihash: 12 is SHA-256, 20 its length, the digest follows.
  expect(`1220${await sha256(file)}`).toBe(asset['file:checksum']);

  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Take off the list' }).click();
  await expect(row).toHaveCount(0);
  expect((await stat(file)).isFile()).toBe(true);
});

test('a download can be paused, resumed and cancelled', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-1');
  await swath.search();
  await swath.rows.first().click();
  await page.getByRole('checkbox', { name: /^VV/ }).click();
  await page.getByRole('button', { name: 'Download…' }).click();
  await page.getByRole('button', { name: 'Start download' }).click();
  await page.getByRole('button', { name: 'Show downloads' }).first().click();
  const row = page.getByRole('treegrid').getByRole('row').filter({ hasText: 'vv ·' });
  await row.getByRole('button', { name: /^Pause/ }).click();
  await expect(row).toContainText('Paused');
  await row.getByText('vv ·').click();
  const details = page.getByRole('complementary', { name: 'Details of the transfer' });
  await details.getByRole('button', { name: 'Resume' }).press('Enter');
  await expect(row).not.toContainText('Paused');
  await expect(details.getByRole('button', { name: 'Pause' }), 'keys go on there').toBeFocused();
  await details.getByRole('button', { name: 'Close the details' }).click();
  await expect(row).toContainText(/[\dB] of \d/);
  await row.getByRole('button', { name: /^Cancel/ }).click();
  await expect(row).toContainText('Cancelled');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).not.toContainText('Cancelled');
  await expect(row).toContainText(/[\dB] of \d/);
  await row.getByRole('button', { name: /^Cancel/ }).click();
  await expect(row).toContainText('Cancelled');
  // The button went with what it did.
  await expect(page.getByRole('treegrid')).toBeFocused();
});

function smallestVerifiable(item: ItemJson): [string, Record<string, unknown>] {
  const assets = Object.entries(item.assets)
    .filter(
      ([, asset]) =>
        typeof asset['file:checksum'] === 'string' && String(asset['type']).startsWith('image/tiff'),
    )
    .sort(([, a], [, b]) => Number(a['file:size']) - Number(b['file:size']));
  const [smallest] = assets;
  if (!smallest) throw new Error('The item has no raster with a checksum');
  return smallest;
}

function yearOf(item: ItemJson): number {
  const { datetime } = (item as unknown as { properties: { datetime: string } }).properties;
  return new Date(datetime).getUTCFullYear();
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
