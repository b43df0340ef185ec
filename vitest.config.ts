import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const sharedTests = 'src/shared/**/*.test.ts';
const rendererTests = 'src/renderer/**/*.test.ts';
// Only what hangs is a failure: how long a test takes says how busy the machine is.
// On a machine that nobody watches, a failure counts when it happens twice.
const patience = { testTimeout: 120_000, hookTimeout: 120_000, retry: process.env['CI'] ? 1 : 0 };
// Modules without a file, a socket or a process: nothing of one test file is left for the next one in its worker.
const stateless = { isolate: false };

export default defineConfig({
  test: {
    environment: 'node',
    // By itself Vitest leaves one processor free: half of what a small machine has.
    maxWorkers: '100%',
    projects: [
      { test: { ...patience, ...stateless, name: 'shared', include: [sharedTests] } },
      {
        test: {
          ...patience,
          name: 'node',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [sharedTests, rendererTests],
          // A message says what was wrong where a log is kept without the values.
          chaiConfig: { truncateThreshold: 500 },
          // Programs that tests start are compiled once, not by each of them.
          env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'compiled') },
        },
      },
      {
        // Runes compile, and Svelte is the one that runs in a browser: without it `$effect` does nothing.
        plugins: [svelte()],
        resolve: { conditions: ['browser'] },
        // Style sheets are read by a test of their colours.
        test: { ...patience, ...stateless, name: 'renderer', include: [rendererTests], css: true },
      },
    ],
  },
});
