import type { Page } from '@playwright/test';
import { SearchWindow } from '../support/search-window.ts';
import { startSwath } from '../support/start-swath.ts';
import { expect, test } from '../support/window-test.ts';

// The pictures in the README and the docs, taken from the running app with its whole demo catalog: `npm run pictures`.
const withWholeDemo = test.extend({
  start: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      await use(() => startSwath({ demoItems: 20_000 }));
    },
    { scope: 'worker' },
  ],
});

withWholeDemo.describe.configure({ mode: 'serial', timeout: 180_000 });

for (const colorScheme of ['dark', 'light'] as const) {
  withWholeDemo(`the window, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const swath = new SearchWindow(page);
    await swath.open();
    await swath.chooseCollections('Sentinel-2 Level', 'Landsat', 'VEN');
    await page.getByText('Box', { exact: true }).click();
    await drag(page, [560, 330], [860, 520]);
    await page.keyboard.press('Escape');
    await page.getByText('Year', { exact: true }).click();
    await swath.search();
    await expect(swath.rows.first()).toBeVisible();
    await waitForPictures(page);
    await swath.rows.nth(2).hover();
    await page.screenshot({ path: `docs/pictures/search-${colorScheme}.png` });

    await swath.rows.nth(2).click();
    await expect(page.getByRole('list', { name: 'Assets' })).toBeVisible();
    await waitForPictures(page);
    await page.screenshot({ path: `docs/pictures/item-${colorScheme}.png` });
  });
}

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  await page.mouse.up();
}

async function waitForPictures(page: Page): Promise<void> {
  await expect
    .poll(
      () =>
        page
          .locator('img')
          .evaluateAll((images) => images.every((image) => (image as HTMLImageElement).complete)),
      {
        timeout: 60_000,
      },
    )
    .toBe(true);
}
