import type { Page } from '@playwright/test';
import { expectNoViolations } from '../support/expect-no-violations.ts';
import { missingWidth } from '../support/missing-width.ts';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

/** The number before " of … shown", or of all items when nothing is filtered. */
async function readShown(page: Page): Promise<number> {
  const text = await page
    .getByRole('region', { name: 'Results' })
    .getByText(/of [\d,]+ shown/)
    .innerText();
  return Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
}

async function searchRecent(page: Page): Promise<SearchWindow> {
  const swath = new SearchWindow(page);
  await swath.open();
  await page.getByRole('button', { name: 'Show recent images in this view' }).click();
  await expect(page.getByText(/^All \d+ items are here$/)).toBeVisible();
  return swath;
}

test('pages stream in, pause, go on and stop, with nothing lost', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await page.getByRole('button', { name: 'Full items, up to 1,000' }).click();
  await page.getByLabel('Items per page').fill('4');
  await page.getByLabel('Items per page').blur();
  await swath.search();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText(/^Paused at \d+$/)).toBeVisible();
  await expect(swath.rows.first()).toBeVisible();
  const paused = await swath.counts.innerText();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(swath.counts).not.toHaveText(paused);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/^Stopped at \d+$/)).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText(/^All \d+ items are here$/)).toBeVisible({ timeout: 30_000 });
  const count = Number(/\d+/.exec(await swath.counts.innerText())?.[0]);
  await expect(swath.rows.first()).toHaveAttribute('aria-setsize', String(count));
});

test('a facet filters list, map and timeline together', async ({ page }) => {
  const swath = await searchRecent(page);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const all = Number(/\d+/.exec(await swath.counts.innerText())?.[0]);
  await expect(timeline).toContainText(`${all} items on`);
  await page.mouse.move(5, 5);
  const before = await swath.map.screenshot({ animations: 'disabled' });

  await page.getByRole('button', { name: 'Collection', exact: true }).click();
  await page.getByRole('checkbox', { name: /^Sentinel-2/ }).click();
  await page.keyboard.press('Escape');
  const shown = await readShown(page);
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThan(all);
  await expect(swath.rows.first()).toHaveAttribute('aria-setsize', String(shown));
  await expect(timeline).toContainText(`${shown} item`);
  await expect
    .poll(async () => before.equals(await swath.map.screenshot({ animations: 'disabled' })))
    .toBe(false);

  await page.getByRole('button', { name: /^Clear: Collection/ }).click();
  await expect(swath.rows.first()).toHaveAttribute('aria-setsize', String(all));
});

test('any property can be filtered by', async ({ page }) => {
  await searchRecent(page);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('textbox', { name: 'Find a property' }).fill('sun elev');
  await page.getByRole('button', { name: /^Sun elevation/ }).click();
  await page.getByRole('textbox', { name: 'At least°' }).fill('30');
  await page.getByRole('textbox', { name: 'At least°' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Sun elevation ≥ 30°', exact: true })).toBeVisible();
  expect(await readShown(page)).toBeGreaterThan(0);
});

test('the timeline is brushed by keyboard, and by typed days', async ({ page }) => {
  const swath = await searchRecent(page);
  const all = Number(/\d+/.exec(await swath.counts.innerText())?.[0]);
  const first = page.getByRole('slider', { name: 'First day shown' });
  await first.focus();
  const start = await first.getAttribute('aria-valuetext');
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('PageUp');
  await expect(first).not.toHaveAttribute('aria-valuetext', start ?? '');
  await expect.poll(() => readShown(page)).toBeLessThan(all);
  await page.keyboard.press('Home');
  await expect(swath.rows.first()).toHaveAttribute('aria-setsize', String(all));

  await page.getByRole('button', { name: 'Type the days shown' }).click();
  await page.getByRole('textbox', { name: 'First day shown' }).fill('2026-08-01');
  await page.getByRole('textbox', { name: 'Last day shown' }).fill('2026-08-31');
  await page.keyboard.press('Escape');
  const shown = await readShown(page);
  expect(shown).toBeGreaterThan(0);
  const texts = await swath.rows.allInnerTexts();
  for (const text of texts) expect(text).toContain('2026-08-');
});

test('rows stand by day, and each day says how much of the area it covers', async ({ page }) => {
  const swath = await searchRecent(page);
  await page.getByRole('button', { name: 'By day' }).click();
  await expect(swath.rows.first()).toContainText(/\d+ \w+ 20\d\d, \d+ items?/);
  await expect(swath.rows.first()).toContainText(/together (<.)?\d+.% of the area/);
});

test('the order is read to its end in the narrowest window', async ({ page }) => {
  await searchRecent(page);
  await page.setViewportSize({ width: 1000, height: 700 });
  const order = page.getByRole('combobox', { name: 'Order of the results' });
  expect(await missingWidth(order)).toBe(0);
  await page.getByRole('button', { name: 'By day' }).click();
  await expect(page.getByRole('button', { name: 'By day' })).toHaveAttribute('aria-pressed', 'true');
  expect(await missingWidth(order)).toBe(0);
  await page.getByRole('radio', { name: 'Table' }).click();
  await expect(page.getByRole('button', { name: 'Columns' })).toBeVisible();
  expect(await missingWidth(order)).toBe(0);
});

test('the table sorts by its columns, and keeps the columns that were chosen', async ({ page }) => {
  test.setTimeout(120_000);
  const swath = await searchRecent(page);
  await page.getByRole('radio', { name: 'Table' }).click();
  const table = page.getByRole('grid', { name: 'Results' });
  const cells = async (column: string): Promise<number[]> => {
    const names = await table.getByRole('columnheader').allInnerTexts();
    const place = names.findIndex((name) => name.trim() === column);
    const rows = await table.getByRole('row').all();
    const texts = await Promise.all(
      rows.slice(1).map((row) => row.getByRole('gridcell').nth(place).innerText()),
    );
    return texts.map((text) => parseFloat(text.replace('<', ''))).filter((value) => !Number.isNaN(value));
  };
  const cloud = table.getByRole('columnheader', { name: 'Cloud cover' });
  await cloud.getByRole('button').click();
  await expect(cloud).toHaveAttribute('aria-sort', 'ascending');
  const clouds = await cells('Cloud cover');
  expect(clouds.length).toBeGreaterThan(3);
  expect(clouds).toEqual(clouds.toSorted((a, b) => a - b));

  const coverage = table.getByRole('columnheader', { name: 'Coverage' });
  await coverage.getByRole('button').click();
  await coverage.getByRole('button').click();
  await expect(coverage).toHaveAttribute('aria-sort', 'descending');
  const coverages = await cells('Coverage');
  expect(coverages.length).toBeGreaterThan(3);
  expect(coverages).toEqual(coverages.toSorted((a, b) => b - a));

  await table.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Opened item' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(table).toBeFocused();

  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('checkbox', { name: /^Platform/ }).click();
  await expect(table.getByRole('columnheader', { name: 'Platform' })).toHaveCount(0);
  await page.reload();
  await swath.open();
  await swath.search();
  await page.getByRole('radio', { name: 'Table' }).click();
  await expect(table.getByRole('columnheader', { name: 'Cloud cover' })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'Platform' })).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`results have no accessibility violation in ${colorScheme}`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.emulateMedia({ colorScheme });
    await searchRecent(page);
    await page.getByRole('button', { name: 'Coverage', exact: true }).click();
    await expectNoViolations(page, 'a range');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Month', exact: true }).click();
    await page.getByRole('checkbox').first().click();
    await expectNoViolations(page, 'a choice');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'By day' }).click();
    await expectNoViolations(page, 'by day');
    await page.getByRole('radio', { name: 'Table' }).click();
    await expectNoViolations(page, 'table');
  });
}
