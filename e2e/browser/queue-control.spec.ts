import { expectNoViolations } from '../support/expect-no-violations.ts';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('the queue is slowed, stopped, put in another order by keys, and goes on', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-1');
  await swath.search();
  for (const place of [0, 1, 2, 3]) await swath.rows.nth(place).click({ modifiers: ['ControlOrMeta'] });
  await swath.download('vv, vh');
  await swath.slowDown();
  await page.getByRole('button', { name: 'Pause all', exact: true }).click();
  await expect(page.getByText('All downloads are paused by you')).toBeVisible();

  const grid = page.getByRole('treegrid', { name: 'Transfers' });
  const queued = grid.getByRole('row').filter({ hasText: 'Queued' }).first();
  await expect(queued).toContainText('The queue is paused. Resume all to go on.');
  await queued.click();
  const details = page.getByRole('complementary', { name: 'Details of the transfer' });
  await expect(details.getByRole('button', { name: 'Resume all' })).toBeVisible();
  await expectNoViolations(page, 'a paused queue, with details');
  const last = grid.locator('[aria-level="2"]').last();
  const key = (await last.getAttribute('data-key')) ?? '';
  await last.click();
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await page.keyboard.press('Alt+Home');
  await expect(grid.locator('[aria-level="2"]').first()).toHaveAttribute('data-key', key);
  await page.keyboard.press('Delete');
  await expect(grid.locator(`[data-key="${key}"]`)).toContainText('Cancelled');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(grid.locator(`[data-key="${key}"]`)).not.toContainText('Cancelled');

  // What was taken off the list is not had back, and that is said.
  await last.click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Delete');
  await expect(last).toContainText('Cancelled');
  await page.getByRole('button', { name: 'More for all downloads' }).click();
  await page.getByRole('menuitem', { name: 'Clear cancelled' }).click();
  await expect(page.getByText('1 cancelled transfer taken off the list')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('1 transfer could not be had back')).toBeVisible();

  await page.getByRole('button', { name: 'Resume all', exact: true }).click();
  await expect(page.getByText('All downloads are paused by you')).toHaveCount(0);
  await expect(grid.locator(`[data-key="${key}"]`)).toContainText(
    /[\dB] of \d|\/s|Preparing|Downloading|Verified/,
  );
});
