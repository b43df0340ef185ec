import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { memoryDir, packageFile, say } from './paths.mjs';
import { runNode } from './run.mjs';

const probeTimeoutMs = 3000;
const fetchTimeoutMs = 10 * 60_000;
const retryAfterMs = 60 * 60_000;
const failureFile = join(memoryDir, 'electron-not-fetched');

/**
 * The Electron program, where its runtime is on this machine.
 * @returns {string | undefined}
 */
export function findElectron() {
  const pathFile = packageFile('electron/path.txt');
  const program = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : platformProgram();
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] || packageFile('electron/dist');
  const path = join(folder, program);
  return existsSync(path) ? path : undefined;
}

/**
 * Why a window could not open here, if so.
 * @returns {string | undefined}
 */
export function findWindowObstacle() {
  if (process.platform !== 'linux') return undefined;
  if (!process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return 'there is no display';
  // Chromium refuses to start its sandbox as root, and we do not start without it.
  if (process.getuid?.() === 0) return 'Electron does not run as root';
  return undefined;
}

/**
 * Finds Electron's runtime or fetches it. A failure is remembered, so that the next start is quick.
 * @param {{ isWanted: boolean }} options isWanted: asked for by name, so try whatever happened before
 * @returns {Promise<string | undefined>} undefined when it can't be had
 */
export async function ensureElectron({ isWanted }) {
  const found = findElectron();
  if (found !== undefined || (!isWanted && hasFailedLately())) return found;
  if (await isSourceReachable()) {
    say('Fetching the Electron runtime (about 120 MB, once) …');
    await runNode([packageFile('electron/install.js')], { output: 'quiet', timeoutMs: fetchTimeoutMs });
  }
  const fetched = findElectron();
  if (fetched === undefined) rememberFailure();
  else rmSync(failureFile, { force: true });
  return fetched;
}

function hasFailedLately() {
  return existsSync(failureFile) && Date.now() - statSync(failureFile).mtimeMs < retryAfterMs;
}

function rememberFailure() {
  mkdirSync(memoryDir, { recursive: true });
  writeFileSync(failureFile, '');
}

/** A short look first: behind some firewalls a download would hang for minutes. */
function isSourceReachable() {
  const { ELECTRON_MIRROR: mirror, HTTPS_PROXY, https_proxy } = process.env;
  if (HTTPS_PROXY || https_proxy) return true;
  const url = new URL(mirror || 'https://github.com');
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port, timeout: probeTimeoutMs });
    const answer = (/** @type {boolean} */ isReachable) => {
      socket.destroy();
      resolve(isReachable);
    };
    socket.once('connect', () => answer(true));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}

function platformProgram() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}
