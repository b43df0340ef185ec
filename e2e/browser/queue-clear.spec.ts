import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('what is done stays with its order until that has ended, and a window loaded anew shows it', async ({
  page,
}) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-1');
  await swath.search();
  for (const place of [0, 1]) await swath.rows.nth(place).click({ modifiers: ['ControlOrMeta'] });
  await swath.download('vv');
  await swath.slowDown();
  await page.reload();
  const grid = page.getByRole('treegrid', { name: 'Transfers' });
  const last = grid.locator('[aria-level="2"]').last();
  await last.click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: 'Paused 1' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Waiting 0' })).toBeVisible();
  await page.getByRole('button', { name: 'Limit: 1.00 MB/s' }).click();
  await page.getByRole('button', { name: 'No limit' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Done 1' })).toBeVisible();

  const more = page.getByRole('button', { name: 'More for all downloads' });
  const clear = page.getByRole('menuitem', { name: 'Clear done' });
  await more.click();
  await expect(clear).toBeDisabled();
  await page.getByRole('menuitem', { name: 'Resume all that are paused' }).click();
  await expect(page.getByRole('button', { name: 'Done 2' })).toBeVisible();
  await more.click();
  await clear.click();
  await expect(page.getByText('2 done transfers taken off the list')).toBeVisible();
  await expect(grid).toHaveCount(0);
});
