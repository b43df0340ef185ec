import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { isProcessAlive } from '../../is-process-alive.ts';
import type { Disk } from '../file/disk.ts';
import { hasDiskCode } from '../file/disk-error.ts';
import { sidecarNames } from './output-layout.ts';
import { sweepHalfWritten } from './write-json.ts';

const claimSchema = z.object({ pid: z.number().int().positive(), host: z.string(), key: z.string() });

/** What a claim begins with, and more than the longest has. */
const beginning = '{"pid":';
const mostBytes = 1000;

type Holder = 'a program' | 'a beginner' | 'nobody';

const lookEveryMs = 20;
// A program may hang, and one on another computer may have gone. What is half written is of somebody who is just
// claiming it, or of a power cut.
const patienceMs: Record<Holder, number> = { 'a program': 30_000, 'a beginner': 500, nobody: 0 };

/** Keys of the claims of this process, whichever queue's. */
const claimed = new Set<string>();

/**
 * Does something with what stands beside an Item's files while no other Swath does: each reads it, and writes it anew
 * with something added. What a program that was killed has left is no claim. Throws the file system's errors.
 */
export async function aloneInFolder<Result>(
  folder: string,
  disk: Disk,
  work: () => Promise<Result>,
): Promise<Result> {
  const path = join(folder, sidecarNames.claim);
  const key = randomUUID();
  claimed.add(key);
  try {
    if (!(await claim(path, key, disk))) return await work();
    try {
      return await work();
    } finally {
      await release(path, key, disk).catch(() => undefined);
    }
  } finally {
    claimed.delete(key);
  }
}

// Whoever had to wait for too long has put a claim of his own in the place of ours.
async function release(path: string, key: string, disk: Disk): Promise<void> {
  const text = await readStart(path, disk);
  if (text !== null && claimSchema.safeParse(parseOrNull(text)).data?.key === key) await disk.unlink(path);
}

async function claim(path: string, key: string, disk: Disk): Promise<boolean> {
  const startMs = performance.now();
  let isLeftBehind = false;
  while (!(await tryToClaim(path, key, disk))) {
    const holder = await findHolder(path, disk);
    // A file of somebody else's is never deleted, not even for the sake of order.
    if (holder === 'a stranger') return false;
    if (performance.now() - startMs < patienceMs[holder]) await wait(lookEveryMs);
    else {
      isLeftBehind = true;
      await disk.unlink(path).catch(throwUnlessGone);
    }
  }
  // Whoever was killed in the middle has left what it was writing, too.
  if (isLeftBehind) await sweepHalfWritten(dirname(path), disk).catch(() => undefined);
  return true;
}

async function tryToClaim(path: string, key: string, disk: Disk): Promise<boolean> {
  const file = await disk.open(path, 'create').catch((error: unknown) => {
    if (hasDiskCode(error, 'EEXIST')) return null;
    throw error;
  });
  if (file === null) return false;
  try {
    await file.write([Buffer.from(JSON.stringify({ pid: process.pid, host: hostname(), key }))], 0);
  } catch (error) {
    await disk.unlink(path).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

async function findHolder(path: string, disk: Disk): Promise<Holder | 'a stranger'> {
  // What can't even be read, a folder or a pipe, is no claim.
  const text = await readStart(path, disk).catch(() => 'unreadable');
  if (text === null) return 'nobody';
  if (!beginning.startsWith(text) && !text.startsWith(beginning)) return 'a stranger';
  const read = claimSchema.safeParse(parseOrNull(text));
  if (!read.success) return 'a beginner';
  const { pid, host, key } = read.data;
  if (host !== hostname()) return 'a program';
  if (pid === process.pid) return claimed.has(key) ? 'a program' : 'nobody';
  return isProcessAlive(pid) ? 'a program' : 'nobody';
}

/** As much as a claim has, without what a power cut leaves in place of data; null where the file is gone. */
async function readStart(path: string, disk: Disk): Promise<string | null> {
  const file = await disk.open(path, 'read').catch(throwUnlessGone);
  if (!file) return null;
  try {
    const bytes = Buffer.alloc(mostBytes);
    const count = await file.read(bytes, 0);
    return bytes.toString('utf8', 0, count).replace(/\0+$/, '');
  } finally {
    await file.close();
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function throwUnlessGone(error: unknown): undefined {
  if (hasDiskCode(error, 'ENOENT')) return undefined;
  throw error;
}
