import { expectNoViolations } from '../support/expect-no-violations.ts';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test.describe('picking items', () => {
  test('by box, with Ctrl, with Shift, and all of it undone', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.chooseCollections('Sentinel-2');
    await swath.search();
    const picked = swath.rows.and(page.locator('[aria-selected="true"]'));
    const bar = page.getByRole('region', { name: 'Picked items' });
    await expect(bar).toHaveCount(0);

    await swath.rows.nth(0).locator('[data-pick]').click();
    await swath.rows.nth(2).click({ modifiers: ['Control'] });
    await expect(picked).toHaveCount(2);
    await swath.rows.nth(4).click({ modifiers: ['Shift'] });
    await expect(picked).toHaveCount(4);
    await expect(bar).toContainText('4 items');
    await expect(page.getByRole('heading', { name: /UTC$/ })).toHaveCount(0);

    await bar.getByRole('button', { name: 'Unpick all' }).click();
    await expect(picked).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(bar).toContainText('4 items');
  });

  test('from a row that was clicked, on with the keys beyond what is in sight', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.chooseCollections('Sentinel-2');
    await swath.search();
    await swath.rows.nth(0).click({ modifiers: ['Control'] });
    await expect(swath.results).toBeFocused();
    for (let step = 0; step < 25; step += 1) await page.keyboard.press('Shift+ArrowDown');
    await expect(page.getByRole('region', { name: 'Picked items' })).toContainText('26 items');
  });

  test('by keyboard alone', async ({ page }) => {
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.chooseCollections('Sentinel-2');
    await swath.search();
    await expect(swath.results).toHaveAttribute('aria-multiselectable', 'true');
    const picked = swath.rows.and(page.locator('[aria-selected="true"]'));
    await swath.results.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await expect(picked).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(picked).toHaveCount(4);
    await page.keyboard.press('Shift+ArrowUp');
    await expect(picked).toHaveCount(3);

    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: /UTC$/ })).toBeFocused();
    await page.keyboard.press('x');
    await expect(page.getByRole('checkbox', { name: 'Pick (X)' })).not.toBeChecked();
    await page.keyboard.press('Escape');
    await expect(swath.results).toBeFocused();
    await expect(picked).toHaveCount(2);
    await page.keyboard.press('Escape');
    await expect(picked).toHaveCount(0);
    await page.keyboard.press('Control+a');
    await expect(page.getByRole('region', { name: 'Picked items' })).toContainText(/^\d{2,} items/);
  });
});

test('chosen assets of several items are queued together, and offered again', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2');
  await swath.search();
  for (const index of [0, 1, 2]) await swath.rows.nth(index).locator('[data-pick]').click();
  const bar = page.getByRole('region', { name: 'Picked items' });
  await bar.getByRole('button', { name: 'Download…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Download from 3 items' });
  const start = dialog.getByRole('button', { name: 'Start download' });
  await expect(dialog.getByText('Nothing is chosen yet')).toBeVisible();
  await expect(start).toBeDisabled();

  await dialog.getByRole('button', { name: /^thumbnail/ }).click();
  await expect(dialog.getByText(/^3 files, .* from 3 items$/)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'By name' }).fill('B0?');
  await expect(dialog.getByText(/^(\d\d) files, .* from 3 items$/)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'By name' }).fill('');
  await dialog.getByRole('checkbox', { name: /^(.* \()?thumbnail\)?$/ }).click();
  await expect(dialog.getByText('Nothing is chosen yet')).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^(.* \()?thumbnail\)?$/ }).click();
  await expect(dialog.getByTestId('destination')).toContainText('Downloads');
  await expect(dialog.getByText(/ free/)).toBeVisible();
  await start.click();

  await expect(page.getByText('3 files queued')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Show downloads' }).first().click();
  await expect(page.getByRole('row', { name: /thumbnail ·/ })).toHaveCount(3);

  await page.getByRole('button', { name: 'Search', exact: true }).first().click();
  await bar.getByRole('button', { name: 'Unpick all' }).click();
  await swath.rows.nth(4).locator('[data-pick]').click();
  await expect(bar).toContainText(/1 item · thumbnail\s*1 file, /);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the chooser has no accessibility violation in ${colorScheme}`, async ({ page }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ colorScheme });
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.chooseCollections('Sentinel-2', 'Landsat');
    await swath.search();
    await swath.rows.nth(0).locator('[data-pick]').click();
    await swath.rows.nth(3).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Download…' }).click();
    await page.getByRole('button', { name: /^data/ }).click();
    await expect(page.getByText(/files, .* from 4 items$/)).toBeVisible();
    await expectNoViolations(page, 'asset chooser');
  });
}
