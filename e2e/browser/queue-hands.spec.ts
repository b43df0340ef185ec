import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('a file that is dropped on those that run is the next, keys stay in the list, and each paused one goes on at once', async ({
  page,
}) => {
  const swath = new SearchWindow(page);
  await swath.pickSlowly('Sentinel-2', { from: 0, count: 7 });
  await swath.download('B11');
  const grid = page.getByRole('treegrid', { name: 'Transfers' });
  const lines = grid.locator('[aria-level="2"]');
  await expect(page.getByRole('button', { name: 'Running 4' })).toBeVisible();
  await expect(lines).toHaveCount(7);
  await page.mouse.move(5, 5);

  const last = (await lines.nth(6).getAttribute('data-key')) ?? '';
  await lines.nth(6).hover();
  await page.mouse.down();
  await lines.nth(0).hover();
  // What is dragged enters with the first move, and is over it with the second.
  const { x, y } = (await lines.nth(0).boundingBox()) ?? { x: 0, y: 0 };
  for (const step of [10, 12]) await page.mouse.move(x + 400 + step, y + step);
  await expect(lines.nth(4), 'it shows where it will be').toHaveClass(/before/);
  await page.mouse.up();
  await expect(lines.nth(4)).toHaveAttribute('data-key', last);

  await lines
    .nth(4)
    .getByRole('button', { name: /^More for/ })
    .click();
  await page.getByRole('menuitem', { name: 'After all others' }).click();
  await expect(lines.nth(6)).toHaveAttribute('data-key', last);
  await expect(grid).toBeFocused();

  await grid
    .locator('[aria-level="1"]')
    .getByRole('button', { name: /^Pause all of/ })
    .click();
  await expect(page.getByRole('button', { name: 'Paused 7' })).toBeVisible();
  await page.getByRole('button', { name: 'Resume all', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Paused 0' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause all', exact: true })).toBeEnabled();
});
