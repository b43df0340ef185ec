import type { Page } from '@playwright/test';
import { expectNoViolations } from '../support/expect-no-violations.ts';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test.beforeEach(async ({ context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
});

async function openFirst(page: Page, collection: string): Promise<SearchWindow> {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections(collection);
  await swath.search();
  await swath.rows.first().click();
  await expect(page.getByRole('list', { name: 'Assets' })).toBeVisible();
  return swath;
}

function readClipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

test('all properties are there, by what they are about, and can be searched', async ({ page }) => {
  await openFirst(page, 'Sentinel-2');
  await page.getByRole('button', { name: /^All \d+ properties$/ }).click();
  const properties = page.getByRole('region', { name: 'Properties' });
  await expect(properties.getByRole('heading', { name: 'Projection' })).toBeVisible();
  await properties.getByRole('searchbox', { name: 'Find a property' }).fill('water');
  await expect(properties.getByText('s2:water_percentage')).toBeVisible();
  await expect(properties.getByRole('heading', { name: 'Projection' })).toHaveCount(0);
  await properties.getByRole('searchbox').fill('no such thing');
  await expect(properties.getByText('No property has this in its name or value.')).toBeVisible();
});

test('an asset tells its bands, storage and checksum', async ({ page }) => {
  await openFirst(page, 'Sentinel-2');
  const asset = page.getByRole('list', { name: 'Assets' }).getByRole('listitem').filter({ hasText: 'B08' });
  await asset.getByRole('button', { name: 'Details' }).click();
  await expect(asset).toContainText('SHA-256');
  await expect(asset.getByRole('table')).toContainText(/nir.*nm.*10 m/s);
});

test('every way to a file can be copied, a signed link with its time', async ({ page }) => {
  await openFirst(page, 'Sentinel-2');
  const menu = page.getByRole('button', { name: 'Copy from B04' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'GDAL path' }).click();
  await expect(page.getByText('GDAL path copied')).toBeVisible();
  expect(await readClipboard(page)).toMatch(/^\/vsi(curl\/https?:|s3)\//);

  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Signed link' }).press('Enter');
  await expect(page.getByText('Signed link copied')).toBeVisible();
  await expect(
    page.getByText(/^Valid until .* UTC, .* h.*; whoever has it can download the file\.$/),
  ).toBeVisible();
  const signed = await readClipboard(page);
  expect((await fetch(signed, { headers: { range: 'bytes=0-3' } })).status).toBe(206);
  expect(await page.content()).not.toContain(new URL(signed).search.slice(1, 60));

  await menu.click();
  await page.getByRole('menuitem', { name: 'Proxy link' }).click();
  await expect(page.getByText('Proxy link copied')).toBeVisible();
  expect((await fetch(await readClipboard(page), { redirect: 'manual' })).status).toBe(401);
});

test('the keyboard goes from item to item, and ? lists all keys', async ({ page }) => {
  const swath = await openFirst(page, 'Sentinel-2');
  const id = page.locator('.head .id .mono');
  const first = await id.innerText();
  await page.keyboard.press('ArrowRight');
  await expect(id).not.toHaveText(first);
  await page.keyboard.press('ArrowLeft');
  await expect(id).toHaveText(first);
  await page.keyboard.press('?');
  const overview = page.getByRole('dialog', { name: 'Keys' });
  await expect(overview.getByRole('region', { name: 'In an opened item' })).toContainText('Next item');
  await page.keyboard.press('Escape');
  await expect(overview).toHaveCount(0);
  await expect(id).toHaveText(first);
  await page.keyboard.press('Escape');
  await expect(swath.results).toBeFocused();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an item with all of it open has no accessibility violation in ${colorScheme}`, async ({ page }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ colorScheme });
    await openFirst(page, 'Sentinel-2');
    await page.getByRole('button', { name: /^All \d+ properties$/ }).click();
    await page.getByRole('button', { name: /^\d+ links$/ }).click();
    await page.getByRole('button', { name: 'Details' }).first().click();
    await page
      .getByRole('button', { name: /^Copy from/ })
      .first()
      .click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectNoViolations(page, 'item');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keys (?)' }).click();
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
    await expectNoViolations(page, 'keys', { within: '[role=dialog]' });
  });
}
