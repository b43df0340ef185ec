import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { packageFile, say } from './paths.mjs';
import { run, runNode } from './run.mjs';

// Without a display the headless shell comes first, as with Playwright's own: the walks take a fifth less.
const commands = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const debianPackages = ['chromium-headless-shell', 'chromium'];
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The Chromium to test with: the one named by SWATH_CHROMIUM, or one of the machine.
 * @returns {string | undefined} path of its program
 */
export function findChromium() {
  const named = process.env['SWATH_CHROMIUM'];
  if (named) return named;
  return commands.map(findOnPath).find(Boolean) ?? usualPlaces.find((path) => existsSync(path));
}

/**
 * Finds a Chromium or installs one: Debian's where we may, else Playwright's.
 * @returns {Promise<string | undefined>} undefined when none could be had
 */
export async function ensureChromium() {
  // The user's choice is not replaced by another when it doesn't start.
  if (process.env['SWATH_CHROMIUM']) return findWorking();
  return (await findWorking()) ?? (await installFromDebian()) ?? (await installFromPlaywright());
}

/** A Chromium that starts: on some systems the command only points at a store. */
async function findWorking() {
  const found = findChromium() ?? (await findPlaywrights());
  if (found === undefined) return undefined;
  try {
    const { code } = await run(found, ['--version'], { output: 'quiet', timeoutMs: 20_000 });
    return code === 0 ? found : undefined;
  } catch {
    return undefined;
  }
}

async function installFromDebian() {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || findOnPath('apt-get') === undefined) return undefined;
  say('Installing Chromium for the tests with apt-get …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update'], { output: 'quiet', env });
  for (const name of debianPackages) {
    // Not every release has both.
    await run('apt-get', ['install', '-y', '--no-install-recommends', name], { output: 'quiet', env });
    const found = await findWorking();
    if (found !== undefined) return found;
  }
  return undefined;
}

async function installFromPlaywright() {
  say('Installing Chromium for the tests with Playwright …');
  await runNode([packageFile('playwright-core/cli.js'), 'install', 'chromium'], { output: 'quiet' });
  return findWorking();
}

async function findPlaywrights() {
  const { chromium } = await import('playwright-core');
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

/** @param {string} command */
function findOnPath(command) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}
