import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { isProcessAlive } from '../../is-process-alive.ts';
import type { Disk } from '../file/disk.ts';
import { hasDiskCode } from '../file/disk-error.ts';
import { lookAt } from '../file/publish.ts';
import { sidecarNames } from './output-layout.ts';
import { sweepHalfWritten } from '../file/write-json.ts';

const claimSchema = z.object({ pid: z.number().int().positive(), host: z.string(), key: z.string() });

/** What a claim begins with, and more than the longest has. */
const beginning = '{"pid":';
const mostBytes = 1000;

type Holder = 'a program' | 'a beginner' | 'nobody';

const lookEveryMs = 20;
const longestTurnMs = 2000;
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
  const holderPatience = createPatience();
  const turnPatience = createPatience();
  let isLeftBehind = false;
  while (!(await tryToClaim(path, key, disk))) {
    const text = await readClaim(path, disk);
    // Released just now.
    if (text === null) continue;
    const holder = judgeHolder(text);
    // A file of somebody else's is never deleted, not even for the sake of order.
    if (holder === 'a stranger') return false;
    if (holderPatience.waitedMs(text) < patienceMs[holder]) await wait(lookEveryMs);
    else if (await takeAway(path, { text, turnPatience, disk })) isLeftBehind = true;
  }
  // Whoever was killed in the middle has left what it was writing, too.
  if (isLeftBehind) await sweepHalfWritten(dirname(path), disk).catch(() => undefined);
  return true;
}

/** How long one and the same has been waited for: where many come and go, none of them has been there for long. */
function createPatience(): { waitedMs: (what: string) => number } {
  let waitingFor: string | null = null;
  let sinceMs = 0;
  return {
    waitedMs(what) {
      if (waitingFor !== what) [waitingFor, sinceMs] = [what, performance.now()];
      return performance.now() - sinceMs;
    },
  };
}

interface LeftClaim {
  /** The claim as it was judged. */
  text: string;
  turnPatience: { waitedMs: (what: string) => number };
  disk: Disk;
}

// By one after the other, or one would take away the claim that another has made since it looked.
async function takeAway(path: string, { text, turnPatience, disk }: LeftClaim): Promise<boolean> {
  const turn = join(dirname(path), sidecarNames.turn);
  const file = await disk.open(turn, 'create').catch((error: unknown) => {
    if (hasDiskCode(error, 'EEXIST')) return null;
    throw error;
  });
  if (file === null) {
    const other = await lookAt(turn, disk);
    // A turn lasts a millisecond: this one was left by a program that was killed in it.
    const isLeft =
      other !== null && turnPatience.waitedMs(`${other.inode} ${other.modified}`) > longestTurnMs;
    if (isLeft) await disk.unlink(turn).catch(throwUnlessGone);
    else await wait(lookEveryMs);
    return false;
  }
  try {
    if ((await readClaim(path, disk)) !== text) return false;
    await disk.unlink(path);
    return true;
  } finally {
    await file.close();
    await disk.unlink(turn).catch(throwUnlessGone);
  }
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

// What can't even be read, a folder or a pipe, is no claim.
function readClaim(path: string, disk: Disk): Promise<string | null> {
  return readStart(path, disk).catch(() => 'unreadable');
}

function judgeHolder(text: string): Holder | 'a stranger' {
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
