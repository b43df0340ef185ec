import { expectNoViolations } from '../support/expect-no-violations.ts';
import { openWindow } from '../support/open-window.ts';
import { SearchWindow } from '../support/search-window.ts';
import { startGrowingCatalog } from '../support/start-growing-catalog.ts';
import { startSwath } from '../support/start-swath.ts';
import { expect, test } from '../support/window-test.ts';

test('a saved search tells what is new in it, until it was looked at', async ({ browser }) => {
  test.setTimeout(90_000);
  const catalog = await startGrowingCatalog(['first', 'second']);
  const running = await startSwath({ baseUrl: catalog.baseUrl });
  const { context, page, swath } = await openWindow(browser, running);
  await swath.open();
  await swath.search();
  await expect(swath.rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.keyboard.type('My fields');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This question is saved as My fields')).toBeAttached();

  catalog.gain('third', 'fourth');
  await page.reload();
  await expect(page.getByText('Connected').first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: /^Saved/ }).click();
  const menu = page.getByRole('dialog', { name: 'Saved searches' });
  await expect(menu).toContainText(/Looked at today at \d\d:\d\d UTC/);
  await menu.getByRole('button', { name: 'Look for new', exact: true }).click();
  await expect(menu).toContainText(/2 new since today at \d\d:\d\d UTC/);
  await expect(page.getByRole('button', { name: /^Saved 2 new items/ })).toBeAttached();
  await expectNoViolations(page, 'saved searches');

  await menu.getByRole('button', { name: /^My fields/ }).click();
  await expect(swath.rows).toHaveCount(4);
  // Shown is looked at: nothing of it is new any more.
  await expect(page.getByRole('button', { name: 'Saved', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Saved', exact: true }).click();
  await menu.getByRole('button', { name: 'Look for new', exact: true }).click();
  await expect(menu).toContainText('Nothing new');
  await context.close();
  await running.stop();
  await catalog.stop();
});

test('saved searches are renamed, removed and brought back by keyboard', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  const save = async (name: string) => {
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
  };
  await swath.chooseCollections('Sentinel-2');
  const dialog = page.getByRole('dialog', { name: 'Save this search' });
  await save('Optical');
  await expect(page.getByText('This question is saved as Optical')).toBeAttached();
  // It gives the keyboard back as it goes.
  await expect(dialog).toBeHidden();
  await swath.chooseCollections('Landsat');
  await save('optical');
  await expect(dialog).toContainText('“optical” is the name of another saved search');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Both');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This question is saved as Both')).toBeAttached();

  const menu = page.getByRole('dialog', { name: 'Saved searches' });
  await page.getByRole('button', { name: 'Saved', exact: true }).press('Enter');
  await menu.getByRole('button', { name: 'Rename Optical' }).press('Enter');
  await page.keyboard.type('Only Sentinel');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Rename this search' })).toBeHidden();
  await page.getByRole('button', { name: 'Saved', exact: true }).press('Enter');
  await menu.getByRole('button', { name: 'Remove Only Sentinel' }).press('Enter');
  await expect(menu.getByText('Only Sentinel')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByRole('button', { name: 'Saved', exact: true }).press('Enter');
  await menu.getByRole('button', { name: /^Only Sentinel/ }).press('Enter');
  await expect(page.getByText('This question is saved as Only Sentinel')).toBeAttached();
  await expect(swath.rows.first()).toBeVisible();
  expect(await swath.readRequest()).toMatchObject({ collections: ['sentinel-2-l2a'] });
});

test('a past search is asked again', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-1');
  await swath.search();
  await page.getByRole('button', { name: /^Remove Sentinel-1/ }).click();
  await page.getByRole('button', { name: 'History' }).click();
  const menu = page.getByRole('dialog', { name: 'History' });
  await menu.getByRole('button', { name: /^Sentinel-1/ }).click();
  expect(await swath.readRequest()).toMatchObject({ collections: [expect.stringContaining('sentinel-1')] });
  await expect(swath.rows.first()).toContainText('Sentinel-1');
});
