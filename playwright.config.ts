import { defineConfig } from '@playwright/test';

import { findChromium } from './scripts/prepare/chromium.mjs';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: false,
  // Each worker has its own service and its own browser; two keep the walks within a few minutes on two cores.
  workers: 2,
  forbidOnly: true,
  // On a machine that nobody watches, one late frame must not hide what thousands of other tests say; it is told at the end.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    // A trace takes as much time as the walk: ask for one with `--trace on` where a failure needs it.
    trace: 'off',
    screenshot: 'only-on-failure',
    locale: 'en-GB',
    timezoneId: 'UTC',
  },
  projects: [
    {
      name: 'browser',
      testDir: 'e2e/browser',
      use: { browserName: 'chromium', launchOptions: executablePath === undefined ? {} : { executablePath } },
    },
    { name: 'electron', testDir: 'e2e/electron' },
    {
      name: 'pictures',
      testDir: 'e2e/pictures',
      use: { browserName: 'chromium', launchOptions: executablePath === undefined ? {} : { executablePath } },
    },
  ],
});
