import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('no line moves from under the pointer while files come home', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2');
  await swath.search();
  for (const place of [0, 1, 2]) await swath.rows.nth(place).click({ modifiers: ['ControlOrMeta'] });
  await swath.download('thumbnail');
  await page.getByRole('button', { name: 'Pause all', exact: true }).click();
  const grid = page.getByRole('treegrid', { name: 'Transfers' });
  const lines = grid.locator('[aria-level="2"]');
  await expect(page.getByText('All downloads are paused by you')).toBeVisible();
  const keys = () => lines.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')));

  // The keyboard lets them go on, while the pointer rests.
  await page.getByRole('button', { name: 'Resume all', exact: true }).focus();
  await lines.nth(1).hover();
  const before = await keys();
  await page.keyboard.press('Enter');
  await expect(lines.nth(1)).toContainText('Verified', { timeout: 30_000 });
  await expect(lines.filter({ hasText: 'Verified' })).toHaveCount(before.length, { timeout: 30_000 });
  expect(await keys()).toEqual(before);
});
