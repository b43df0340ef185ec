import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Where the scripts remember what they did. It goes when node_modules goes. */
export const memoryDir = join(projectRoot, 'node_modules', '.swath');

/**
 * The project's own Node 24, brought by the `node` package; the running one where that is as new.
 * @returns {string | undefined} undefined when there is none: packages are to be installed first
 */
export function findNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const own = join(projectRoot, 'node_modules', 'node', 'bin', name);
  if (existsSync(own)) return own;
  return Number.parseInt(process.versions.node, 10) >= 24 ? process.execPath : undefined;
}

/**
 * The file a package's command runs, so that it starts on our Node and not through a shell.
 * @param {string} pathInPackages path below node_modules
 */
export function packageFile(pathInPackages) {
  return join(projectRoot, 'node_modules', ...pathInPackages.split('/'));
}

/**
 * Says one line on standard error: standard output belongs to what is started.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}
