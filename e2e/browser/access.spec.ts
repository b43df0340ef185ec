import type { Page } from '@playwright/test';
import { expectNoViolations } from '../support/expect-no-violations.ts';
import { SearchWindow } from '../support/search-window.ts';
import { expect, test } from '../support/window-test.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('no view has an accessibility violation', async ({ page }) => {
      test.setTimeout(240_000);
      const swath = new SearchWindow(page);
      await swath.open();
      await expectNoViolations(page, 'start');

      await swath.chooseCollections('Sentinel-2', 'Sentinel-1');
      await page.getByRole('switch', { name: 'Limit cloud cover' }).click();
      await page.getByRole('button', { name: 'Request', exact: true }).click();
      await swath.search();
      await expectNoViolations(page, 'results');

      await page.getByRole('combobox', { name: 'Collections' }).click();
      await expect(page.getByRole('option', { name: 'Landsat' }).first()).toBeVisible();
      await expectNoViolations(page, 'collections');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Pick: From day' }).click();
      await expectNoViolations(page, 'calendar');
      await page.keyboard.press('Escape');

      await swath.rows.first().click();
      // Another one in each colour scheme: what is there already is not fetched again.
      const place = colorScheme === 'light' ? 0 : 1;
      await page.getByRole('list', { name: 'Assets' }).getByRole('checkbox').nth(place).click();
      await page.getByRole('button', { name: /^All \d+ properties$/ }).click();
      await expectNoViolations(page, 'item');

      await page.getByRole('button', { name: 'Download…' }).click();
      // What a person waits for too: it changes its colour once it is known what will fit.
      await expect(page.getByRole('button', { name: 'Start download' })).toBeEnabled();
      await expectNoViolations(page, 'download', { within: '[role=dialog]' });
      await page.getByRole('button', { name: 'Choose…' }).click();
      await expect(page.getByRole('button', { name: 'Use this folder' })).toBeEnabled();
      await expectNoViolations(page, 'folders', { within: '[role=dialog]' });
      await page.getByRole('button', { name: 'Back', exact: true }).click();
      await page.getByRole('button', { name: 'Start download' }).click();

      await page.getByRole('button', { name: 'Show downloads' }).first().click();
      await expect(page.getByRole('treegrid', { name: 'Transfers' })).toBeVisible();
      await expectNoViolations(page, 'downloads');
      await page.getByRole('button', { name: 'Library', exact: true }).click();
      for (const name of ['Searches', 'Areas', 'Collections', 'Taken offline', 'Share', 'Storage']) {
        await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
        await expect(page.getByRole('tabpanel', { name: new RegExp(`^${name}`) })).toBeVisible();
        await expectNoViolations(page, `library: ${name}`, { within: '[role=tabpanel]:not([hidden])' });
      }
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await expectNoViolations(page, 'settings');
    });
  });
}

test('everything from question to download works without a mouse', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  const collections = page.getByRole('combobox', { name: 'Collections' });
  await tabTo(page, 'Collections');
  await page.keyboard.type('sentinel-2');
  await expect(page.getByRole('option').first()).toContainText('Sentinel-2');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('list', { name: 'Chosen collections' })).toContainText('Sentinel-2');
  await expect(collections).toBeFocused();
  await tabTo(page, 'From day');
  await page.keyboard.type('2025-01-01');
  await page.keyboard.press('Control+Enter');
  await expect(swath.rows.first()).toBeVisible();

  await tabTo(page, 'Results');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(swath.rows.nth(2)).toHaveAttribute('data-active');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /UTC$/ })).toBeFocused();
  await expect(page.getByRole('list', { name: 'Assets' })).toBeVisible();
  await tabTo(page, 'All assets');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByText(/^1 asset · /)).toBeVisible();
  await tabTo(page, 'Download…');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await tabTo(page, 'Start download');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 file queued')).toBeVisible();
});

/** Presses Tab until the element of that name has the focus, as a person does; fails when it never gets it. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent.trim(),
    );
    if (focused === name) return;
  }
  throw new Error(`Tab never reached "${name}"`);
}

test('forced colours leave land, sea and footprints apart', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const swath = new SearchWindow(page);
  await swath.open();
  const countColours = (): Promise<number> =>
    page
      .locator('canvas.map-canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
          data: [],
        };
        return new Set(new Uint32Array(Uint8ClampedArray.from(data).buffer)).size;
      });
  await expect.poll(countColours).toBeGreaterThan(8);
});

test('all of the bar at the top is in sight in narrow windows', async ({ page }) => {
  const swath = new SearchWindow(page);
  await swath.open();
  const buttons = page.getByRole('banner').getByRole('button');
  expect(await buttons.count()).toBeGreaterThan(6);
  for (const width of [720, 760, 800, 859, 860, 1000]) {
    await page.setViewportSize({ width, height: 600 });
    for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 });
  }
});
