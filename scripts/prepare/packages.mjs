import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { findNode, packageFile, projectRoot, say } from './paths.mjs';
import { run } from './run.mjs';

/** Installs the npm packages of the lock file, unless exactly these are there already. */
export async function ensurePackages() {
  if (isInstalled() && findNode() !== undefined) return;
  say('Installing npm packages from package-lock.json …');
  // Without install scripts: from a lock file, npm takes better-sqlite3 for a package to compile (the lock file doesn't
  // hold its `gypfile: false`), which needs a compiler and headers from the network. What it ships is used instead.
  await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  if (findNode() === undefined) await fetchNode();
}

/** Runs the one install script that is needed: it fetches the binary of the `node` package. */
async function fetchNode() {
  const cwd = packageFile('node');
  const { code } = await run(process.execPath, ['installArchSpecificPackage.js'], { cwd, output: 'quiet' });
  if (code !== 0 || findNode() === undefined) {
    throw new Error('Node 24 could not be installed. Install Node 24 yourself and try again.');
  }
  // npm links commands whose file is there: only now is it, and npm's scripts find it first.
  await npm(['rebuild', 'node', '--ignore-scripts', '--loglevel=error']);
}

/** @param {string[]} args */
async function npm(args) {
  const env = withoutPackageBinaries(process.env);
  const npmCli = process.env['npm_execpath'];
  const { code } =
    npmCli?.endsWith('npm-cli.js') && existsSync(npmCli)
      ? await run(machineNode(), [npmCli, ...args], { env, output: 'stderr' })
      : await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { env, output: 'stderr' });
  if (code !== 0) throw new Error(`npm ${args[0]} failed. Is the package registry reachable?`);
}

/** Not the one in node_modules: `npm ci` takes that folder away while it runs. */
function machineNode() {
  const node = process.env['npm_node_execpath'];
  return node !== undefined && !node.startsWith(projectRoot) && existsSync(node) ? node : 'node';
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
function withoutPackageBinaries(env) {
  const path = (env['PATH'] ?? '').split(delimiter);
  const kept = path.filter((folder) => !folder.startsWith(join(projectRoot, 'node_modules')));
  return { ...env, PATH: kept.join(delimiter) };
}

/** npm writes what it installed into a lock file of its own, at the end of a successful install. */
function isInstalled() {
  const installedFile = packageFile('.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = readLockFile(installedFile);
  return Object.entries(readLockFile(join(projectRoot, 'package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function readLockFile(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
