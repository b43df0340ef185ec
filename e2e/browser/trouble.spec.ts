import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openWindow } from '../support/open-window.ts';
import { SearchWindow } from '../support/search-window.ts';
import { startSwath } from '../support/start-swath.ts';
import { expect, test } from '../support/window-test.ts';

test('a Swath that was stopped is said so, and what was on the screen stays', async ({ browser }) => {
  const running = await startSwath();
  const { context, page, swath } = await openWindow(browser, running);
  await swath.open();
  await swath.search();
  await running.stop();
  const screen = page.getByRole('alertdialog');
  await expect(screen).toContainText('Swath was stopped');
  await expect(screen.getByRole('button', { name: 'Try again now' })).toBeVisible();
  await expect(page.locator('[role="option"]').first()).toBeAttached();
  await context.close();
});

test('a Swath that hangs is said so for as long as it does', async ({ browser }) => {
  const running = await startSwath();
  const { context, page, swath } = await openWindow(browser, running);
  await swath.open();
  await swath.search();
  const notice = page.getByRole('alert').filter({ hasText: 'Swath hasn’t answered since' });
  running.hold();
  await expect(notice).toBeVisible({ timeout: 60_000 });
  running.letGo();
  await expect(notice).toHaveCount(0);
  await context.close();
  await running.stop();
});

test('a lost connection comes back by itself with everything in its place', async ({ page, context }) => {
  const swath = new SearchWindow(page);
  // The window's own way of losing it: the first socket is closed under it, the next one opens.
  await page.addInitScript(() => {
    const sockets: WebSocket[] = [];
    const Native = window.WebSocket;
    window.WebSocket = class extends Native {
      constructor(url: string | URL) {
        super(url);
        sockets.push(this);
      }
    };
    Object.assign(window, { closeSockets: () => sockets.splice(0).forEach((socket) => socket.close()) });
  });
  await swath.open();
  await swath.chooseCollections('Sentinel-2');
  await swath.search();
  // All of the answer: while pages come, the line changes by itself.
  await expect(swath.counts).toHaveText(/^[\d,]+ items$/);
  const counts = await swath.counts.innerText();
  await page.evaluate(() => (window as unknown as { closeSockets: () => void }).closeSockets());
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(swath.counts).toHaveText(counts);
  await expect(page.getByRole('list', { name: 'Chosen collections' })).toContainText('Sentinel-2');
  await swath.search();
  await expect(swath.rows.first()).toBeVisible();
  await context.clearCookies();
});

test('I12 a window that crashes stops no download, and the next one shows how far it is', async ({
  page,
  context,
  swath: running,
}) => {
  const swath = new SearchWindow(page);
  await swath.open();
  await swath.chooseCollections('Sentinel-1');
  await swath.search();
  await swath.rows.first().click({ modifiers: ['ControlOrMeta'] });
  await swath.download('vv, vh');
  await swath.slowDown();

  const crashed = page.waitForEvent('crash');
  const session = await context.newCDPSession(page);
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  const partBytes = () =>
    readdirSync(running.homeDir, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.part'))
      .reduce((sum, path) => sum + statSync(join(running.homeDir, path)).size, 0);
  const before = partBytes();
  await expect.poll(partBytes, 'bytes come without a window').toBeGreaterThan(before);

  const next = await context.newPage();
  await next.goto('/');
  await next.getByRole('button', { name: /^Downloads/ }).click();
  const rows = next.getByRole('treegrid', { name: 'Transfers' }).locator('[aria-level="2"]');
  await expect(rows).toHaveCount(2);
  await expect(next.getByRole('button', { name: 'Limit: 1.00 MB/s' })).toBeVisible();
  await expect(rows.first()).toContainText(/\d of [\d.]+ MB.*\/s/);
});
