import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectNoViolations } from '../support/expect-no-violations.ts';
import { SearchWindow } from '../support/search-window.ts';
import { startDemoCatalog, type DemoCatalog } from '../support/start-demo-catalog.ts';
import { expect, test } from '../support/window-test.ts';

let dataDir: string;
let second: DemoCatalog;

test.beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'swath-e2e-second-'));
  second = await startDemoCatalog(dataDir);
});
test.afterAll(async () => {
  await second.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const chipOf = (page: Page) => page.getByRole('button', { name: /^Catalog: / });

async function manage(page: Page): Promise<void> {
  await chipOf(page).click();
  await page.getByRole('menuitem', { name: 'Manage catalogs…' }).click();
}

async function use(page: Page, name: string): Promise<void> {
  await chipOf(page).click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click();
  await expect(page.getByRole('button', { name: `Catalog: ${name}, Connected` })).toBeVisible({
    timeout: 30_000,
  });
}

test('adds a second catalog with its token, tests it, uses it and goes back', async ({ page, swath }) => {
  test.setTimeout(120_000);
  const window = new SearchWindow(page);
  const heard: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => heard.push(String(payload)));
  });
  await window.open();
  await window.chooseCollections('Sentinel-2');
  await window.search();
  await expect(window.rows.first()).toBeVisible();

  await manage(page);
  await page.getByRole('button', { name: 'Add a catalog…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a catalog' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill('archive');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('An http or https address is needed.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(second.baseUrl);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Archive');
  await dialog.getByLabel('Access token', { exact: true }).last().fill('not-the-token');
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText(/steps? failed/)).toBeVisible({ timeout: 30_000 });

  await dialog.getByLabel('Access token', { exact: true }).last().fill(second.token);
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText('The connection works.')).toBeVisible({ timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Access token, kept until Swath ends')).toBeVisible();

  await use(page, 'Archive');
  await page.getByRole('button', { name: 'Search', exact: true }).first().click();
  await expect(window.rows).toHaveCount(0);
  await expect(page.getByRole('combobox', { name: 'Collections' })).toHaveValue('');
  await window.search();
  await expect(window.rows.first()).toBeVisible();

  await use(page, 'Demo catalog');
  await expect(window.rows).toHaveCount(0);
  await window.search();
  await expect(window.rows.first()).toBeVisible();

  expect(heard.join('\n')).not.toContain(second.token);
  expect(readFileSync(join(swath.dataDir, 'settings.json'), 'utf8')).not.toContain(second.token);

  await manage(page);
  await page.getByRole('button', { name: 'Remove Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Archive was removed')).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('nothing about catalogs has an accessibility violation', async ({ page }) => {
      test.setTimeout(120_000);
      await new SearchWindow(page).open();
      await chipOf(page).click();
      await expect(page.getByRole('menuitem', { name: 'Manage catalogs…' })).toBeVisible();
      await expectNoViolations(page, 'menu');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByText('Manual', { exact: true }).click();
      await expectNoViolations(page, 'catalogs');
      await page.getByRole('button', { name: 'Add a catalog…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a catalog' });
      await dialog.getByText('Client credentials').click();
      await dialog.getByRole('button', { name: 'Links and limits' }).click();
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(dialog.getByText('An http or https address is needed.').first()).toBeVisible();
      await expectNoViolations(page, 'a catalog with mistakes', { within: '[role=dialog]' });
      await dialog.getByText('Open to all').click();
      await dialog.getByRole('textbox', { name: 'Address' }).fill(second.baseUrl);
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await expect(dialog.getByText(/steps? failed/)).toBeVisible({ timeout: 30_000 });
      await expectNoViolations(page, 'a tested catalog', { within: '[role=dialog]' });
    });
  });
}
