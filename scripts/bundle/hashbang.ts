import { type Plugin } from 'vite';

/** Makes the built entry of this name a program: `swath` in package.json's `bin` is started by its first line. */
export function addHashbang(entryName: string): Plugin {
  return {
    name: 'swath:hashbang',
    apply: 'build',
    renderChunk(code, chunk) {
      if (!chunk.isEntry || chunk.name !== entryName || code.startsWith('#!')) return null;
      return { code: `#!/usr/bin/env node\n${code}`, map: null };
    },
  };
}
