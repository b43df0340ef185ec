import type { Locator, Page } from '@playwright/test';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

interface Queue {
  lines: Locator;
  order: Locator;
  keys: () => Promise<(string | null)[]>;
}

/** An order of three files, from a place in the answer on, of which only the first comes once all are resumed. */
async function orderThree(page: Page, from: number): Promise<Queue> {
  const swath = new SearchWindow(page);
  await swath.pickSlowly('Sentinel-2', { from, count: 3 });
  // Large enough that none is here before all are paused, however slow the machine.
  await swath.download('B11');
  await page.getByRole('button', { name: 'Pause all', exact: true }).click();
  await expect(page.getByText('All downloads are paused by you')).toBeVisible();
  await page.getByRole('button', { name: 'Limit: 1.00 MB/s' }).click();
  await page.getByRole('button', { name: 'No limit' }).click();
  await page.keyboard.press('Escape');
  const grid = page.getByRole('treegrid', { name: 'Transfers' });
  // Orders that have ended are below it.
  const lines = grid.locator('[aria-level="2"]');
  for (const place of [1, 2]) {
    await lines.nth(place).getByRole('button', { name: 'Pause' }).click();
    await expect(lines.nth(place)).toContainText('Paused');
  }
  const keys = async (): Promise<(string | null)[]> =>
    (await lines.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')))).slice(0, 3);
  return { lines, order: grid.locator('[aria-level="1"]'), keys };
}

test('no line moves from under the pointer while a file comes home', async ({ page }) => {
  const { lines, keys } = await orderThree(page, 0);
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

test('no line moves while one is dragged, until it is dropped', async ({ page }) => {
  const { lines, keys } = await orderThree(page, 3);
  const [first, second, third] = await keys();
  await lines.nth(2).hover();
  await page.mouse.down();
  await lines.nth(1).hover();
  // What is dragged has the pointer: a program that asks for it lets the file go on.
  await page.getByRole('button', { name: 'Resume all', exact: true }).dispatchEvent('click');
  await expect(lines.first()).toContainText('Verified');
  await lines.nth(1).hover({ position: { x: 200, y: 5 } });
  expect(await keys()).toEqual([first, second, third]);
  await page.mouse.up();
  await expect.poll(keys).toEqual([third, second, first]);
});

test('a file that comes home keeps its line among those that run, and an order that is folded its own', async ({
  page,
}) => {
  const { lines, order } = await orderThree(page, 6);
  await page.getByRole('button', { name: /^Waiting/ }).click();
  await expect(lines).toHaveCount(1);
  await page.getByRole('button', { name: 'Resume all', exact: true }).focus();
  await lines.first().hover();
  await page.keyboard.press('Enter');
  await expect(lines.first()).toContainText('Verified');
  await order.getByRole('button', { name: /^Fold / }).click();
  await expect(lines).toHaveCount(0);
  await expect(order).toContainText('1 of 3 files');
  await page.mouse.move(5, 5);
  await expect(order).toHaveCount(0);
});
