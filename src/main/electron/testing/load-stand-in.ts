import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as standIn from './electron-stand-in.ts';

const require = createRequire(import.meta.url);
const standInPath = join(import.meta.dirname, 'electron-stand-in.ts');

/** Makes `electron` mean the stand-in, for everything that Node loads from now on. */
export function loadStandIn(): typeof standIn {
  registerHooks({
    resolve: (specifier, context, next) => {
      const isElectron = specifier === 'electron' || specifier.endsWith('/node_modules/electron/index.js');
      return isElectron
        ? { url: pathToFileURL(standInPath).href, shortCircuit: true }
        : next(specifier, context);
    },
  });
  return require(standInPath) as typeof standIn;
}

/** Loads a file with Node's own loader, past the test runner's; as if for the first time. */
export function loadAfresh(path: string): void {
  Reflect.deleteProperty(require.cache, path);
  require(path);
}
