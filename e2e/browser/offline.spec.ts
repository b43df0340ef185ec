import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { expectNoViolations } from '../support/expect-no-violations.ts';
import { missingWidth } from '../support/missing-width.ts';
import { openWindow } from '../support/open-window.ts';
import type { SearchWindow } from '../support/search-window.ts';
import { startDemoCatalog } from '../support/start-demo-catalog.ts';
import { startGrowingCatalog } from '../support/start-growing-catalog.ts';
import { startRelay, type Relay } from '../support/start-relay.ts';
import { startSwath } from '../support/start-swath.ts';
import { expect, test } from '../support/window-test.ts';

/** Swath on a catalog at the end of a cable. */
async function withCable(
  browser: Browser,
  use: (parts: { page: Page; swath: SearchWindow; relay: Relay }) => Promise<void>,
): Promise<void> {
  const demoDir = mkdtempSync(join(tmpdir(), 'swath-e2e-demo-'));
  const catalog = await startDemoCatalog(demoDir);
  const relay = await startRelay(catalog.port);
  const baseUrl = catalog.baseUrl.replace(`:${catalog.port}/`, `:${relay.port}/`);
  const running = await startSwath({ baseUrl, token: catalog.token });
  const { context, ...window } = await openWindow(browser, running);
  try {
    await use({ ...window, relay });
  } finally {
    await context.close();
    await running.stop();
    await relay.pull().catch(() => undefined);
    await catalog.stop();
    rmSync(demoDir, { recursive: true, force: true });
  }
}

/** Asks, and waits until everything has come. */
async function searchAll({ page, swath }: { page: Page; swath: SearchWindow }): Promise<void> {
  await swath.search();
  await expect(page.getByText(/^All [\d,]+ items are here$/)).toBeVisible({ timeout: 30_000 });
}

test('the network goes, the library answers, and the catalog is asked again', async ({ browser }) => {
  test.setTimeout(180_000);
  await withCable(browser, async ({ page, swath, relay }) => {
    await swath.open();
    await swath.chooseCollections('Sentinel-2');
    // One page: a next link would lead past the cable.
    await page.getByRole('button', { name: /^Full items/ }).click();
    await page.getByRole('spinbutton', { name: 'Items per page' }).fill('1000');
    await searchAll({ page, swath });
    await expect(swath.rows.first().locator('img.loaded')).toBeVisible({ timeout: 20_000 });

    await relay.pull();
    await page.getByRole('button', { name: 'Search', exact: true }).last().click();
    const status = page.getByRole('contentinfo').getByRole('status');
    await expect(status).toContainText('Offline: answering from the library, as of', { timeout: 45_000 });
    await expect(status).toContainText('Searches run on the catalog again as soon as it answers.');
    await expect(page.getByText(/From the library, complete as of/)).toBeVisible();

    await page.getByRole('button', { name: 'Take offline…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take offline' });
    await expect(dialog.getByText('The catalog can’t be reached')).toBeVisible();
    await expect(dialog.getByRole('status')).toHaveText('It begins when the catalog answers.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await swath.rows.first().click();
    await expect(page.getByRole('img', { name: /^Preview of/ })).toHaveClass(/loaded/);
    await page.getByRole('button', { name: 'Results', exact: true }).click();

    await page.getByRole('button', { name: 'Property', exact: true }).click();
    await page.getByRole('combobox', { name: 'Find a property' }).fill('platform');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Platform is' }).selectOption({ index: 1 });
    await page.getByRole('radio', { name: 'Box', exact: true }).click();
    const box = await swath.map.boundingBox();
    if (!box) throw new Error('There is no map');
    await page.mouse.click(box.x + box.width * 0.1, box.y + box.height * 0.2);
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
    await page.mouse.click(box.x + box.width * 0.85, box.y + box.height * 0.85);
    await swath.search();
    await expect(page.getByText(/From the library, complete as of/)).toBeVisible();
    await expect(swath.rows.first()).toBeVisible();

    await relay.putBack();
    await expect(page.getByRole('button', { name: 'Ask the catalog' })).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Ask the catalog' }).click();
    await expect(page.getByText(/From the library/)).toHaveCount(0, { timeout: 30_000 });
    await expect(swath.counts).toBeVisible();
  });
});

test('what the catalog lost stays, marked, and two searches are compared', async ({ browser }) => {
  test.setTimeout(90_000);
  const catalog = await startGrowingCatalog(['kept', 'lost']);
  const running = await startSwath({ baseUrl: catalog.baseUrl });
  const { context, page, swath } = await openWindow(browser, running);
  await swath.open();
  await swath.search();
  await expect(swath.rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Library', exact: true }).click();
  await page.getByRole('button', { name: /^More for/ }).click();
  await expect(page.getByRole('menuitem', { name: /^Ask again/ })).toBeVisible();
  // There is no run before the first one.
  await expect(page.getByRole('menuitem', { name: /^Compare/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Search', exact: true }).first().click();
  catalog.lose('lost');
  catalog.gain('found');
  await swath.search();
  await expect(swath.rows.first()).toContainText('found');

  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: /^Compare/ }).click();
  const pane = page.getByRole('region', { name: 'Results' });
  await expect(pane.getByRole('list', { name: 'New items' })).toContainText('found');
  await pane.getByRole('radio', { name: 'Gone 1' }).click();
  const gone = pane.getByRole('list', { name: 'Gone items' });
  await expect(gone).toContainText('lost');
  await expectNoViolations(page, 'two runs of a search');
  const later = page.getByRole('combobox', { name: 'Later search' });
  await page.setViewportSize({ width: 1000, height: 700 });
  expect(await missingWidth(later)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await later.selectOption({ index: 1 });
  await expect(pane.getByText('Both brought the same items')).toBeVisible();
  await later.selectOption({ index: 0 });
  await gone.getByRole('button').click();
  await expect(page.getByText(/The catalog no longer has this item, as of/)).toBeVisible();
  await page.getByRole('button', { name: 'Results', exact: true }).click();

  // Nothing goes out any more, and what is lost to the catalog is still found.
  await page.getByRole('switch', { name: 'Work offline' }).click();
  await expect(page.getByRole('contentinfo')).toContainText('Working offline: answering from the library');
  await swath.search();
  await expect(swath.rows).toHaveCount(3);
  await expect(swath.rows.filter({ hasText: 'lost' })).toContainText('Gone');
  await page.getByRole('switch', { name: 'Work offline' }).click();
  await page.getByRole('button', { name: 'Ask the catalog' }).click();
  await expect(swath.rows).toHaveCount(2);

  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: /^Open as it was/ }).click();
  await expect(page.getByText(/As it was today at/)).toBeVisible();

  // Each run of it can be opened, not the last alone.
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('button', { name: /^Compare/ }).click();
  await page.getByRole('combobox', { name: 'Earlier search' }).selectOption({ index: 2 });
  await page.getByRole('button', { name: 'Open the earlier search as it was' }).click();
  await expect(swath.rows.filter({ hasText: 'lost' })).toHaveCount(1);
  await expect(swath.rows.filter({ hasText: 'found' })).toHaveCount(0);
  await context.close();
  await running.stop();
  await catalog.stop();
});
