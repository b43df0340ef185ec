import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

test('what could not be learnt while working offline is asked for afterwards', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  const workOffline = page.getByRole('switch', { name: 'Work offline' });
  await workOffline.click();
  await expect(page.getByRole('contentinfo')).toContainText('Working offline');
  await swath.chooseCollections('Landsat');
  const unknown = page.getByText(/What can be asked here isn’t known/);
  await expect(unknown).toBeVisible();
  await workOffline.click();
  await expect(unknown).toHaveCount(0);
});

test('a picture that came stays when somebody works offline again', async ({ page }) => {
  const swath = new SearchWindow(page);
  let isAway = true;
  await page.route('**/*', (route) =>
    isAway && route.request().resourceType() === 'image' ? route.abort() : route.continue(),
  );
  await swath.open();
  await swath.chooseCollections('Sentinel-1');
  await swath.search();
  const picture = swath.rows.first().locator('img');
  const workOffline = page.getByRole('switch', { name: 'Work offline' });
  await workOffline.click();
  await expect(page.getByRole('contentinfo')).toContainText('Working offline');
  await expect(picture).toHaveCount(0);

  isAway = false;
  await workOffline.click();
  await expect(picture).toHaveClass(/loaded/);
  await workOffline.click();
  await expect(page.getByRole('contentinfo')).toContainText('Working offline');
  await expect(picture).toHaveClass(/loaded/);
});
