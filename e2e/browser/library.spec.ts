import { expectNoViolations } from '../support/expect-no-violations.ts';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('a search is taken offline to its end, and opened as it was with no network', async ({ page }) => {
  test.setTimeout(120_000);
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('VEN');
  await swath.search();
  await page.getByRole('button', { name: 'Take offline…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take offline' });
  await expect(dialog.getByRole('status')).toContainText(/^\d+ items? · about [\d.]+ .B · about \d+/, {
    timeout: 30_000,
  });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('VENµS, all of it');
  await expectNoViolations(page, 'take offline', { within: '[role=dialog]' });
  await dialog.getByRole('button', { name: 'Take offline', exact: true }).click();

  await page.getByRole('button', { name: 'Library', exact: true }).click();
  await page.getByRole('tab', { name: /^Taken offline/ }).click();
  const job = page.getByRole('listitem').filter({ hasText: 'VENµS, all of it' });
  await expect(job).toContainText(/Here · \d+ items? · \d+ pictures?/, { timeout: 60_000 });
  await page.getByRole('tab', { name: 'Collections' }).click();
  const collection = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'VENµS' });
  await expect(collection).toContainText(/Complete as of today, \d\d:\d\d UTC/);

  const offline = page.getByRole('switch', { name: 'Work offline' });
  await offline.click();
  await expect(offline).toBeChecked();
  await page.getByRole('tab', { name: 'Searches' }).click();
  await page
    .getByRole('button', { name: /^Open as it was: VENµS/ })
    .first()
    .click();
  await expect(swath.rows.first()).toBeVisible();
  await page.getByRole('button', { name: 'Library', exact: true }).click();
  await page.getByRole('tab', { name: /^Taken offline/ }).click();
  await job.getByRole('button', { name: 'Open VENµS, all of it' }).press('Enter');
  // The button went with its view; Tab goes on from here.
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('region', { name: 'Results' })).toContainText(/As it was today/);
  await expect(swath.rows.first()).toContainText('VENµS');
  await page.getByRole('button', { name: 'Library', exact: true }).click();
  await job.getByRole('button', { name: 'Remove VENµS, all of it from the list' }).click();
  await expect(job).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(job).toContainText(/Here · \d+ items?/);
  // The program is shared by the tests of a worker.
  await offline.click();
  await expect(offline).not.toBeChecked();
  await page.getByRole('button', { name: 'Library', exact: true }).click();
  await page.getByRole('tab', { name: 'Collections' }).click();
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    await expectNoViolations(page, theme);
  }
});

test('items are found by words as they are typed, and opened on the map', async ({ page }) => {
  test.setTimeout(120_000);
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Landsat');
  await swath.search();
  await page.keyboard.press('ControlOrMeta+k');
  const box = page.getByRole('dialog', { name: 'Find in the library' });
  await box.getByRole('combobox').fill('landsat');
  await expect(box.getByRole('option').first()).toBeVisible();
  await expect(box.getByRole('option', { selected: true })).toHaveCount(1);
  await expectNoViolations(page, 'find', { within: '[role=dialog]' });
  const found = (await box.getByRole('option').first().locator('.mono').textContent()) ?? '';
  await page.keyboard.press('Enter');
  await expect(box).toBeHidden();
  await expect(page.getByRole('region', { name: 'Opened item' })).toContainText(found.trim().slice(0, 12));
  await page.keyboard.press('ControlOrMeta+k');
  await box.getByRole('combobox').fill('no such thing');
  await expect(box.getByRole('status')).toHaveText('Nothing in the library has all of these words');
});
