import type { Locator } from '@playwright/test';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('keys never lose the line that they work on', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await order(swath, 'Many', 'vv');
  await swath.slowDown();
  await page.getByRole('button', { name: 'Pause all', exact: true }).click();

  const grid = page.getByRole('treegrid', { name: 'Transfers' });
  await page.getByRole('button', { name: /^Waiting/ }).click();
  await grid.focus();
  await page.keyboard.press('End');
  const key = (await activeRow(grid).getAttribute('data-key')) ?? '';
  for (const keys of ['Alt+Home', 'Alt+End', 'Alt+ArrowUp', 'Alt+ArrowUp']) {
    const before = await activeRow(grid).getAttribute('aria-rowindex');
    await page.keyboard.press(keys);
    await expect(activeRow(grid)).not.toHaveAttribute('aria-rowindex', before ?? '');
    await expect(activeRow(grid)).toHaveAttribute('data-key', key);
    await expect(activeRow(grid), `out of sight after ${keys}`).toBeInViewport({ ratio: 1 });
  }

  // What is sent off the list leaves the keys to the line that comes into its place.
  await page.keyboard.press('ArrowUp');
  const neighbour = (await activeRow(grid).getAttribute('data-key')) ?? '';
  await page.keyboard.press('ArrowUp');
  const cancelled = (await activeRow(grid).getAttribute('data-key')) ?? '';
  await page.keyboard.press('Delete');
  await expect(grid.locator(`[data-key="${cancelled}"]`)).toHaveCount(0);
  await expect(activeRow(grid)).toHaveAttribute('data-key', neighbour);

  // It can be had back from anywhere but a text, and is where it was.
  await page.getByRole('button', { name: /^Waiting/ }).focus();
  await page.keyboard.press('Control+z');
  await expect(grid.locator(`[data-key="${cancelled}"]`)).toBeVisible();
  await expect(page.getByText('1 transfer cancelled')).toHaveCount(0);
  await grid.focus();
  await page.keyboard.press('ArrowUp');
  await expect(activeRow(grid)).toHaveAttribute('data-key', cancelled);
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: /^Cancelled/ }).click();
  await grid.locator(`[data-key="${cancelled}"]`).click();
  await page.keyboard.press('Delete');
  await expect(page.getByText('1 transfer taken off the list')).toBeVisible();

  // Below all of these.
  await page.getByRole('button', { name: 'Search', exact: true }).first().click();
  await order(swath, 'Late', 'vh');
  const late = grid.getByRole('row').filter({ has: page.getByText('Late', { exact: true }) });
  await expect(late).toBeInViewport({ ratio: 1 });
  await expect(grid).toBeFocused();

  // Whoever asks is told of the keys.
  await page.keyboard.press('?');
  const overview = page
    .getByRole('dialog', { name: 'Keys' })
    .getByRole('region', { name: 'In the downloads' });
  await expect(overview).toContainText('To the top, to the bottom of the queue');
});

function activeRow(grid: Locator): Locator {
  return grid.locator('[data-key].active');
}

/** Orders assets of all of Sentinel-1 by their names, and goes to the downloads. */
async function order(swath: SearchWindow, name: string, assets: string): Promise<void> {
  const { page } = swath;
  if (!(await swath.counts.isVisible())) {
    await swath.chooseCollections('Sentinel-1');
    await swath.search();
  }
  await page.getByRole('button', { name: 'Download all…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'By name' }).fill(assets);
  await dialog.getByRole('textbox', { name: 'Name of the order' }).fill(name);
  await dialog.getByRole('button', { name: 'Start download' }).click();
  await page.getByRole('button', { name: 'Show downloads' }).first().click();
}
