import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withLock } from './lock.mjs';
import { memoryDir, packageFile, projectRoot, say } from './paths.mjs';
import { runNode } from './run.mjs';

const stampFile = join(memoryDir, 'build');
const outputs = [
  'out/main/index.js',
  'out/main/browser.js',
  'out/main/cli.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
];
const inputFiles = ['package.json', 'package-lock.json', 'electron.vite.config.ts', 'svelte.config.js'];
const inputFolders = ['src', 'resources', 'scripts/bundle'];

/**
 * Builds the app into out/, unless out/ was built from exactly these sources.
 * @param {{ force?: boolean }} [options]
 */
export async function ensureBuild({ force = false } = {}) {
  if (!force && isFresh()) return;
  await withLock('build', async () => {
    if (!force && isFresh()) return;
    const inputs = hashInputs();
    say('Building …');
    rmSync(stampFile, { force: true });
    const { code, stoppedBy } = await runNode(
      [packageFile('electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn'],
      { output: 'quiet' },
    );
    if (stoppedBy !== null) process.exit(130);
    if (code !== 0) throw new Error('The build failed.');
    mkdirSync(memoryDir, { recursive: true });
    writeFileSync(stampFile, inputs);
  });
}

function isFresh() {
  if (!outputs.every((file) => existsSync(join(projectRoot, file)))) return false;
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashInputs();
}

/** Contents, not times: a checkout changes times. */
function hashInputs() {
  const hash = createHash('sha256');
  for (const file of listInputs()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(projectRoot, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listInputs() {
  const found = inputFolders.flatMap((folder) =>
    existsSync(join(projectRoot, folder)) ? listFiles(folder) : [],
  );
  return [...inputFiles.filter((file) => existsSync(join(projectRoot, file))), ...found].sort();
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(folder) {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() && !entry.name.includes('.test.') ? [path] : [];
  });
}
