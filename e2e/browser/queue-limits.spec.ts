import type { Locator } from '@playwright/test';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

test('a bandwidth that is none is refused in words, and the limit stays', async ({ page }) => {
  await new SearchWindow(page).open();
  await page.getByRole('button', { name: 'Downloads' }).click();
  await page.getByRole('button', { name: 'Limit: none' }).click();
  const field = page.getByRole('textbox', { name: 'Another bandwidth' });
  for (const typed of ['abc', '0', '-5']) {
    await field.fill(typed);
    await field.press('Enter');
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(/^Type a bandwidth.*The limit is as it was\.$/);
  }
  await field.fill('3 MB/s');
  await expect(field).toHaveAttribute('aria-invalid', 'false');
  await field.press('Enter');
  await expect(page.getByRole('button', { name: 'Limit: 3.00 MB/s' })).toBeVisible();
});

test('a week plan is painted by its days, and many words leave the cards of the queue as they are', async ({
  page,
}) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('switch', { name: 'Week plan' }).click();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  // Until tomorrow: that takes the most words.
  const today = dayNames[new Date().getUTCDay()] ?? '';
  await page.getByRole('rowheader', { name: today, exact: true }).click();
  await page.getByRole('button', { name: 'Search', exact: true }).first().click();
  await swath.chooseCollections('Sentinel-1');
  await swath.search();
  await swath.rows.first().click({ modifiers: ['ControlOrMeta'] });
  await swath.download('vv');

  await page.setViewportSize({ width: 1024, height: 640 });
  const now = page.getByText('Now', { exact: true }).locator('..');
  await expect(now).toContainText('Paused by the week plan until');
  const [card, graph] = [await boxOf(now), await boxOf(now.getByRole('img'))];
  expect(graph.x + graph.width).toBeLessThanOrEqual(card.x + card.width);

  const note = page.getByText('on this list', { exact: true });
  const before = await boxOf(note);
  const many = '1,234 verified, 567 not verifiable, 2 missing or changed since';
  await note.evaluate((node, words) => (node.textContent = words), many);
  expect((await boxOf(page.getByText(many))).height).toBe(before.height);
});

async function boxOf(locator: Locator): Promise<{ x: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not to be seen');
  return box;
}
