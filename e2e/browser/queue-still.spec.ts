import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('no line moves from under the pointer while a file comes home', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2');
  await swath.search();
  for (const place of [0, 1, 2]) await swath.rows.nth(place).click({ modifiers: ['ControlOrMeta'] });
  await swath.download('visual');
  await page.getByRole('button', { name: 'Pause all', exact: true }).click();
  await expect(page.getByText('All downloads are paused by you')).toBeVisible();
  const lines = page.getByRole('treegrid', { name: 'Transfers' }).locator('[aria-level="2"]');
  const keys = () => lines.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')));
  // Only the first may come.
  for (const place of [1, 2]) {
    await lines.nth(place).getByRole('button', { name: 'Pause' }).click();
    await expect(lines.nth(place)).toContainText('Paused');
  }
  const [first, ...others] = await keys();

  // The keyboard lets it go on, while the pointer rests.
  await page.getByRole('button', { name: 'Resume all', exact: true }).focus();
  await lines.first().hover();
  await page.keyboard.press('Enter');
  await expect(lines.first()).toContainText('Verified');
  expect(await keys()).toEqual([first, ...others]);
  await page.mouse.move(5, 5);
  await expect.poll(keys).toEqual([...others, first]);
});
