import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { memoryDir } from './paths.mjs';

/**
 * Does the work while no other process of this clone does the same kind of work.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const file = join(memoryDir, `${name}.lock`);
  mkdirSync(memoryDir, { recursive: true });
  while (!take(file)) await sleep(100);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** @param {string} file */
function take(file) {
  const claim = `${file}.${process.pid}`;
  writeFileSync(claim, String(process.pid));
  try {
    // A link appears with its content: nobody can read a lock that names no holder yet.
    linkSync(claim, file);
    return true;
  } catch {
    if (!isHolderAlive(file)) rmSync(file, { force: true });
    return false;
  } finally {
    rmSync(claim, { force: true });
  }
}

/** @param {string} file */
function isHolderAlive(file) {
  try {
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
