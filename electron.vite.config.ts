import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';

import { makeBasemap } from './scripts/bundle/basemap.ts';
import { addHashbang } from './scripts/bundle/hashbang.ts';
import { writeNotices } from './scripts/bundle/notices.ts';
import { buildWorkers } from './scripts/bundle/workers.ts';

export default defineConfig({
  main: {
    build: {
      // Only what `dependencies` names stays outside the bundle: better-sqlite3, a native addon.
      externalizeDeps: true,
      rolldownOptions: {
        input: {
          index: 'src/main/index.ts',
          browser: 'src/main/browser.ts',
          cli: 'src/main/cli.ts',
        },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
    plugins: [buildWorkers(), addHashbang('cli'), writeNotices()],
  },
  preload: {
    build: {
      // A sandboxed preload can load neither ES modules nor a second file.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    base: './',
    build: { minify: true, rolldownOptions: { input: 'src/renderer/index.html' } },
    plugins: [svelte({ configFile: '../../svelte.config.js' }), makeBasemap(), writeNotices()],
  },
});
