import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { buildWorkers } from '../scripts/bundle/workers.ts';

const bundleFolder = fileURLToPath(new URL('../out/bench/', import.meta.url));

/**
 * Bundles a program as Swath is shipped, and gives its path. What takes the types out of sources takes memory too, some
 * 80 MB, and leaves a heap that has grown.
 */
export async function bundleChild(source: URL): Promise<string> {
  const { name } = parse(source.pathname);
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [buildWorkers()],
    build: {
      ssr: fileURLToPath(source),
      outDir: `${bundleFolder}${name}`,
      rolldownOptions: { external: ['better-sqlite3'] },
    },
    ssr: { noExternal: true, external: ['better-sqlite3'] },
  });
  return `${bundleFolder}${name}/${name}.js`;
}
