import { test as base, expect } from '@playwright/test';
import { startSwath, type RunningSwath } from './start-swath.ts';

// Chromium's own traffic would look like the window's; its sandbox doesn't start in a container run by root.
const chromiumFlags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];

interface WindowFixtures {
  /** Errors that nobody caught, and violations of the content security policy. */
  complaints: string[];
}

/**
 * Playwright's `test` with Swath running on a small demo catalog, one for each worker: `page` is signed in, and
 * `page.goto('/')` opens the window. A test fails when the page throws or loads what its policy forbids.
 */
export const test = base.extend<WindowFixtures, { swath: RunningSwath }>({
  swath: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const swath = await startSwath();
      await use(swath);
      await swath.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  launchOptions: [
    async ({ launchOptions }, use) => {
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...chromiumFlags] });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ swath }, use) => {
    await use(swath.origin);
  },
  context: async ({ context, swath }, use) => {
    await context.addCookies([{ ...swath.cookie, httpOnly: true, sameSite: 'Strict' }]);
    await use(context);
  },
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) complaints.push(message.text());
      });
      await use(complaints);
      expect(complaints, 'the page complained').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
