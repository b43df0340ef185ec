import { type Plugin } from 'vite';

const workerUrl = /new URL\(\s*(['"])(\.{1,2}\/[^'"]+\.worker\.ts)\1\s*,\s*import\.meta\.url\s*\)/g;
const placeholder = /__SWATH_WORKER_([\w$]+)__/g;

/**
 * Builds what `new Worker(new URL('./name.worker.ts', import.meta.url))` names into a file of its own.
 * Unbuilt, the same line runs as it is, because Node reads TypeScript.
 */
export function buildWorkers(): Plugin {
  return {
    name: 'swath:workers',
    apply: 'build',
    async transform(code, importer) {
      const found = [...code.matchAll(workerUrl)];
      if (found.length === 0) return null;
      let result = code;
      for (const [text, , path = ''] of found) {
        const worker = await this.resolve(path, importer);
        if (worker === null) return this.error(`No worker at ${path}`);
        const reference = this.emitFile({ type: 'chunk', id: worker.id });
        result = result.replace(text, `new URL('__SWATH_WORKER_${reference}__', import.meta.url)`);
      }
      return { code: result, map: null };
    },
    renderChunk(code, chunk) {
      if (!code.includes('__SWATH_WORKER_')) return null;
      const up = '../'.repeat(chunk.fileName.split('/').length - 1) || './';
      const result = code.replace(placeholder, (_, reference: string) => up + this.getFileName(reference));
      return { code: result, map: null };
    },
  };
}
