import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectNoViolations } from '../support/expect-no-violations.ts';
import { openWindow } from '../support/open-window.ts';
import { startDemoCatalog } from '../support/start-demo-catalog.ts';
import { startSwath } from '../support/start-swath.ts';
import { expect, test } from '../support/window-test.ts';

test('files of a catalog that wants another token say so, and go on as soon as it is typed', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const demoDir = mkdtempSync(join(tmpdir(), 'swath-e2e-demo-'));
  const first = await startDemoCatalog(demoDir);
  const running = await startSwath({ baseUrl: first.baseUrl, token: first.token });
  const { context, page, swath } = await openWindow(browser, running);
  await swath.open();
  await swath.chooseCollections('Sentinel-2');
  await swath.search();
  await swath.rows.first().click({ modifiers: ['ControlOrMeta'] });
  await swath.rows.nth(1).click({ modifiers: ['ControlOrMeta'] });
  await first.stop();
  const second = await startDemoCatalog(demoDir, first.port);
  await swath.download('thumbnail');

  const notice = page.getByRole('status').filter({ hasText: '2 files wait for you to sign in' });
  await expect(notice).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('button', { name: /^Catalog: .*, Not let in$/ })).toBeVisible();
  await expectNoViolations(page, 'files that wait for a login');
  await notice.getByRole('button', { name: 'Sign in…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Sign in to / });
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue(first.baseUrl);
  await expect(dialog.getByLabel('Access token', { exact: true }).last()).toBeFocused();
  await page.keyboard.type('wrong-token');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Sign in…' }).click();
  await expect(dialog.getByLabel('Access token', { exact: true }).last()).toBeFocused();
  await page.keyboard.type(second.token);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeHidden();
  const grid = page.getByRole('treegrid', { name: 'Transfers' });
  await expect(grid.locator('[aria-level="2"]').filter({ hasText: 'Verified' })).toHaveCount(2);
  await expect(notice).toHaveCount(0);

  await context.close();
  await running.stop();
  await second.stop();
  rmSync(demoDir, { recursive: true, force: true });
});
