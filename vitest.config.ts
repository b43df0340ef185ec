import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const rendererTests = 'src/renderer/**/*.test.ts';
// Only what hangs is a failure: how long a test takes says how busy the machine is.
const patience = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    environment: 'node',
    // By itself Vitest leaves one processor free: half of what a small machine has.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...patience,
          name: 'node',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [rendererTests],
        },
      },
      {
        // Runes compile, and Svelte is the one that runs in a browser: without it `$effect` does nothing.
        plugins: [svelte()],
        resolve: { conditions: ['browser'] },
        // Style sheets are read by a test of their colours.
        test: { ...patience, name: 'renderer', include: [rendererTests], css: true },
      },
    ],
  },
});
