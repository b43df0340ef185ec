import { rm } from 'node:fs/promises';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('results and items tell what of them is on its way, here, and gone again', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.pickSlowly('Sentinel-1', { from: 0, count: 1 });
  await swath.download('vv');
  const view = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  await view('Search');
  await expect(swath.rows.first()).toContainText('1 file on its way');
  await expect(swath.rows.nth(1)).not.toContainText('1 file');
  await swath.rows.first().click();
  const assets = page.getByRole('list', { name: 'Assets' });
  const asset = assets.getByRole('listitem').filter({ has: page.getByText('vv', { exact: true }) });
  await asset.getByRole('button', { name: 'Show in the downloads' }).click();
  const details = page.getByRole('complementary', { name: 'Details of the transfer' });
  await expect(details.getByRole('heading', { level: 2 })).toHaveText('vv');
  await page.getByRole('button', { name: 'Limit: 1.00 MB/s' }).click();
  await page.getByRole('button', { name: 'No limit' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Done 1' })).toBeVisible();

  await view('Search');
  await expect(asset).toContainText('On this computer · Verified');
  await page.getByRole('button', { name: 'Results', exact: true }).click();
  await expect(swath.rows.first()).toContainText('1 file brought home');

  // Off the list it is still known; deleted by somebody it is not said to be here.
  await view('Downloads');
  const path = await details.locator('.path span').first().innerText();
  await page.getByRole('button', { name: 'More for all downloads' }).click();
  await page.getByRole('menuitem', { name: 'Clear done' }).click();
  await expect(page.getByText('Nothing is on the list')).toBeVisible();
  await view('Search');
  await expect(swath.rows.first()).toContainText('1 file brought home');
  await swath.rows.first().click();
  await expect(asset).toContainText('On this computer · Verified when it came');
  await rm(path);
  await page.keyboard.press('Escape');
  await swath.rows.first().click();
  await expect(asset).toContainText('is not there any more');
});
