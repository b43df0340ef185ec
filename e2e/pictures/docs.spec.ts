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

withWholeDemo('the downloads', async ({ page, swath: { homeDir } }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-2 Level');
  await swath.search();
  await order(page, swath, {
    places: [0, 3],
    assets: 'B04, B08, SCL, thumbnail',
    title: 'Fields by the lake',
  });
  await order(page, swath, { places: [5, 6, 7, 8], assets: 'visual', title: 'Overview of the week' });
  await page.getByRole('button', { name: 'Show downloads' }).first().click();
  const grid = page.getByRole('treegrid', { name: 'Transfers' });
  await expect(grid.getByText('Verified', { exact: true }).nth(1)).toBeVisible({ timeout: 120_000 });
  await page.getByRole('button', { name: /^Limit: none/ }).click();
  await page.getByRole('button', { name: '10.0 MB/s' }).click();
  await page.keyboard.press('Escape');
  // The second order was shown.
  await grid.focus();
  await page.keyboard.press('Home');
  await grid.getByRole('row').filter({ hasText: '/s' }).nth(1).click();
  await expect(page.getByRole('img', { name: 'Preview of the item' })).toBeVisible();
  // The line of the rate tells something only after some seconds; it has one point for each.
  const countSeconds = () =>
    page.locator('polyline').evaluate((line: SVGPolylineElement) => line.points.numberOfItems);
  const before = await countSeconds();
  await expect.poll(countSeconds).toBeGreaterThan(before + 15);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await showAnotherHome(page, homeDir);
    // With colours as they end up: changing the scheme fades them.
    await page.screenshot({ path: `docs/pictures/downloads-${colorScheme}.png`, animations: 'disabled' });
  }
});

// The folders of whoever takes the pictures are nobody's business.
async function showAnotherHome(page: Page, homeDir: string): Promise<void> {
  await page.evaluate((home) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      node.nodeValue = node.nodeValue?.replace(home, '/home/me') ?? null;
  }, homeDir);
}

async function order(
  page: Page,
  swath: SearchWindow,
  { places, assets, title }: { places: number[]; assets: string; title: string },
): Promise<void> {
  for (const place of places) await swath.rows.nth(place).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('button', { name: 'Download…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'By name' }).fill(assets);
  await dialog.getByRole('textbox', { name: 'Name of the order' }).fill(title);
  await dialog.getByRole('button', { name: 'Start download' }).click();
  await expect(page.getByText(/files? queued/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Unpick all' }).click();
}

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 8 });
  await page.mouse.up();
}

// Those in view: the others are fetched when somebody comes to them.
async function waitForPictures(page: Page): Promise<void> {
  const areComplete = () =>
    page
      .locator('img')
      .evaluateAll((images) =>
        images
          .filter((image) => image.getBoundingClientRect().top < innerHeight)
          .every((image) => (image as HTMLImageElement).complete),
      );
  await expect.poll(areComplete, { timeout: 60_000 }).toBe(true);
}
