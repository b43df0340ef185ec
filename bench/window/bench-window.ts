import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { ensureBuild } from '../../scripts/prepare/build.mjs';
import { findChromium } from '../../scripts/prepare/chromium.mjs';
import { startSwath, type RunningSwath } from '../../e2e/support/start-swath.ts';
import type { BenchCatalog } from './serve-catalog.ts';

// The same as for the end-to-end tests; the browser's own traffic would be measured along.
const chromiumFlags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];
const viewport = { width: 1440, height: 900 };
const patienceMs = 240_000;

/** The built window on a bench catalog, in a real browser, and an empty page of the same browser beside it. */
export interface BenchWindow {
  page: Page;
  plain: Page;
  /** The map in the window. */
  map: Locator;
  /** Asks for everything the catalog has, so many results. */
  ask(count: number): Promise<void>;
  /** Asks, and waits until the results are there. */
  search(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens the window; says why it can't be. */
export async function openBenchWindow(catalog: BenchCatalog): Promise<BenchWindow | { unavailable: string }> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    await catalog.close();
    return { unavailable: 'there is no Chromium' };
  }
  await ensureBuild();
  const swath = await startSwath({ baseUrl: catalog.baseUrl });
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  const page = await openPage(browser, swath);
  const plain = await (await browser.newContext({ viewport })).newPage();
  return {
    page,
    plain,
    map: page.getByRole('region', { name: 'Map of footprints' }),
    ask: (count) => ask(page, count),
    search: async (count) => {
      await ask(page, count);
      await waitForResults(page, count);
    },
    close: async () => {
      await browser.close();
      await swath.stop();
      await catalog.close();
    },
  };
}

async function openPage(browser: Browser, swath: RunningSwath): Promise<Page> {
  const context = await browser.newContext({ baseURL: swath.origin, viewport });
  await context.addCookies([{ ...swath.cookie, httpOnly: true, sameSite: 'Strict' }]);
  const page = await context.newPage();
  await page.goto('/');
  await page.getByText('Connected').first().waitFor();
  return page;
}

async function ask(page: Page, count: number): Promise<void> {
  const atMost = page.getByRole('spinbutton', { name: 'Items at most' });
  if (!(await atMost.isVisible())) await page.getByRole('button', { name: /items, up to/ }).click();
  await atMost.fill(String(count));
  await atMost.press('Tab');
  await page.getByRole('button', { name: 'Search', exact: true }).last().click();
}

async function waitForResults(page: Page, count: number): Promise<void> {
  const heading = page.getByRole('region', { name: 'Results' }).getByRole('heading', { level: 2 });
  const arrived = new RegExp(`^${count.toLocaleString('en')}(?!,)`);
  await heading.filter({ hasText: arrived }).waitFor({ timeout: patienceMs });
}
