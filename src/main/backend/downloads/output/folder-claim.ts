import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { isProcessAlive } from '../../is-process-alive.ts';
import type { Disk } from '../file/disk.ts';
import { hasDiskCode } from '../file/disk-error.ts';
import { sidecarNames } from './output-layout.ts';
import { readJson, sweepHalfWritten } from './write-json.ts';

const claimSchema = z.object({ pid: z.number().int().positive(), host: z.string() });

const lookEveryMs = 20;
// For a program that hangs, or one on another computer that has gone.
const longestWaitMs = 30_000;

/** Those of this process, whichever queue's. */
const claimed = new Set<string>();

/**
 * Does something with what stands beside an Item's files while no other Swath does: each reads it, and writes it anew
 * with something added. What a program that was killed has left is no claim. Throws the file system's errors.
 */
export async function claimFolder<Result>(
  folder: string,
  disk: Disk,
  work: () => Promise<Result>,
): Promise<Result> {
  const path = join(folder, sidecarNames.claim);
  if (!(await claim(path, disk))) return work();
  claimed.add(path);
  try {
    return await work();
  } finally {
    claimed.delete(path);
    await disk.unlink(path).catch(() => undefined);
  }
}

async function claim(path: string, disk: Disk): Promise<boolean> {
  const giveUpMs = performance.now() + longestWaitMs;
  let isLeftBehind = false;
  while (!(await tryToClaim(path, disk))) {
    const holder = await findHolder(path, disk);
    // A file of somebody else's is never deleted, not even for the sake of order.
    if (holder === 'a stranger') return false;
    if (holder === 'a program' && performance.now() < giveUpMs) await wait(lookEveryMs);
    else {
      isLeftBehind = true;
      await disk.unlink(path).catch(throwUnlessGone);
    }
  }
  // Whoever was killed in the middle has left what it was writing, too.
  if (isLeftBehind) await sweepHalfWritten(dirname(path), disk).catch(() => undefined);
  return true;
}

async function tryToClaim(path: string, disk: Disk): Promise<boolean> {
  try {
    const file = await disk.open(path, 'create');
    try {
      await file.write([Buffer.from(JSON.stringify({ pid: process.pid, host: hostname() }))], 0);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (hasDiskCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function findHolder(path: string, disk: Disk): Promise<'a program' | 'nobody' | 'a stranger'> {
  const found = await readJson(path, disk);
  if (found === undefined) return 'nobody';
  const read = claimSchema.safeParse(found);
  // Empty: of somebody who is just claiming it, or of a power cut.
  if (!read.success) return (await isEmpty(path, disk)) ? 'a program' : 'a stranger';
  const { pid, host } = read.data;
  if (host !== hostname()) return 'a program';
  if (pid === process.pid) return claimed.has(path) ? 'a program' : 'nobody';
  return isProcessAlive(pid) ? 'a program' : 'nobody';
}

async function isEmpty(path: string, disk: Disk): Promise<boolean> {
  return disk.lstat(path).then(({ kind, sizeBytes }) => kind === 'file' && sizeBytes === 0);
}

function throwUnlessGone(error: unknown): void {
  if (!hasDiskCode(error, 'ENOENT')) throw error;
}
