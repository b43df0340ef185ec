import type { Browser, BrowserContext, Page } from '@playwright/test';
import { SearchWindow } from './search-window.ts';
import type { RunningSwath } from './start-swath.ts';

/** A signed-in window on a Swath other than the one that the tests of a worker share. The caller closes `context`. */
export async function openWindow(
  browser: Browser,
  running: RunningSwath,
): Promise<{ context: BrowserContext; page: Page; swath: SearchWindow }> {
  const context = await browser.newContext({ baseURL: running.origin });
  await context.addCookies([{ ...running.cookie, httpOnly: true, sameSite: 'Strict' }]);
  const page = await context.newPage();
  return { context, page, swath: new SearchWindow(page) };
}
