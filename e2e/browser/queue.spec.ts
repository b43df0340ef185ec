import { expectNoViolations } from '../support/expect-no-violations.ts';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('an order of many items is planned, scrolls, can be searched, and has an honest report', async ({
  page,
}) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2');
  await swath.search();
  await page.getByRole('button', { name: 'Download all…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'By name' }).fill('thumbnail');
  await dialog.getByRole('textbox', { name: 'Name of the order' }).fill('Previews');
  await expect(dialog.getByText(/stay free after it/)).toBeVisible({ timeout: 30_000 });
  // Its second click must not stop what the first began.
  await dialog.getByRole('button', { name: 'Start download' }).dblclick({ delay: 30 });
  await page.getByRole('button', { name: 'Show downloads' }).first().click();

  const grid = page.getByRole('treegrid', { name: 'Transfers' });
  const order = grid.getByRole('row').filter({ hasText: 'Previews' });
  await expect(order).toBeVisible();
  await expect(page.getByRole('button', { name: /^Done [1-9]/ })).toBeVisible();
  // Far more rows than fit: only those in sight are there.
  expect(await grid.getByRole('row').count()).toBeLessThan(60);
  await grid.focus();
  await page.keyboard.press('End');
  await expect(grid.locator('[data-key]').last()).toBeInViewport();
  await page.keyboard.press('Home');
  const head = grid.getByRole('row').first();
  const roomAbove = async () => {
    const [row, over] = await Promise.all([order.boundingBox(), head.boundingBox()]);
    return row && over ? row.y - over.y - over.height : NaN;
  };
  await expect.poll(roomAbove, 'the head covers the row').toBeGreaterThanOrEqual(0);
  await page.getByRole('textbox', { name: 'Find in the queue' }).fill('no such item');
  await expect(page.getByText('Nothing here fits')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();

  await order.getByRole('button', { name: 'Report of Previews' }).click();
  const report = page.getByRole('dialog', { name: 'Report: Previews' });
  await expect(report.getByRole('status')).toContainText(/^\d+ files? done.* still to come\.$/);
  await expectNoViolations(page, 'report');
  await report.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'History' }).click();
  await expect(page.getByRole('list').getByText('Previews').first()).toBeVisible();
  await expectNoViolations(page, 'history');
});
