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
  /** Swath as the walks of one file share it. */
  swath: RunningSwath;
  /** Errors that nobody caught, and violations of the content security policy. */
  complaints: string[];
}

interface WorkerFixtures {
  /** How Swath is started: some walks need another catalog. */
  start(): Promise<RunningSwath>;
  /** The Swath of a file of walks; the one of the file before it is stopped. */
  swathOf(file: string): Promise<RunningSwath>;
}

/**
 * Playwright's `test` with Swath running on a small demo catalog: `page` is signed in, and `page.goto('/')` opens the
 * window. Each file of walks has a Swath of its own: what one remembers, queues or brought must not depend on which
 * files the same worker ran before it. A test fails when the page throws or loads what its policy forbids.
 */
export const test = base.extend<WindowFixtures, WorkerFixtures>({
  start: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      await use(() => startSwath());
    },
    { scope: 'worker' },
  ],
  swathOf: [
    async ({ start }, use) => {
      let current: { file: string; swath: RunningSwath } | null = null;
      await use(async (file) => {
        if (current?.file === file) return current.swath;
        await current?.swath.stop();
        current = null;
        const swath = await start();
        current = { file, swath };
        return swath;
      });
      await (current as { swath: RunningSwath } | null)?.swath.stop();
    },
    { scope: 'worker' },
  ],
  swath: [
    async ({ swathOf }, use, { file }) => {
      await use(await swathOf(file));
    },
    // Room for making the whole demo catalog, as the pictures need it.
    { timeout: 120_000 },
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
