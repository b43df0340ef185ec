import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultTransferLimits } from '#shared/settings/transfer-limits.ts';
import { poll } from '../testing/download-harness.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(2_000_000);
const trial = useFaultTrial(bytes);
const capped = (bytesPerSecond: number | null) => ({ ...defaultTransferLimits, bytesPerSecond });

/** Bytes that came while so much time went by. */
async function pass(ms: number): Promise<number> {
  const { downloads, time } = trial.harness;
  const received = () => downloads.transfers().reduce((sum, { receivedBytes }) => sum + receivedBytes, 0);
  const before = received();
  for (let passed = 0; passed < ms; passed += 50) {
    time.advance(50);
    // What was let through needs a moment to come.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return received() - before;
}

describe('a limit of bandwidth', () => {
  it('K2 is kept and used by six files together, and no server is blamed for it', async () => {
    const keys = trial.openMany(6, {}, { maxConcurrentTransfers: 6, limits: capped(500_000) });
    const { start, downloads } = trial.harness;
    await start(keys);
    await poll(() => {
      trial.harness.time.advance(50);
      return downloads.transfers().every(({ state }) => state === 'downloading') || undefined;
    });
    await pass(2000);
    const came = await pass(10_000);
    expect(came).toBeGreaterThan(4_500_000);
    expect(came).toBeLessThan(5_500_000);
    for (const { state } of downloads.transfers()) expect(state).toBe('downloading');
    expect(trial.storage.requests).toHaveLength(6);
  });

  it('K3 is felt within a second when it is set and taken away in the middle of a file', async () => {
    const { start, downloads, finish, until } = trial.open({}, { limits: capped(100_000) });
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'downloading');
    await pass(3000);
    downloads.setLimits(capped(20_000));
    await pass(1000);
    expect(await pass(5000)).toBeLessThan(130_000);
    downloads.setLimits(capped(null));
    const beforeMs = trial.harness.time.timers.elapsedMs();
    expect((await finish(downloadId))[0]?.state).toBe('done');
    expect(trial.harness.time.timers.elapsedMs() - beforeMs).toBeLessThanOrEqual(1000);
    expect(trial.storage.requests).toHaveLength(1);
  });
});

describe('the queue', () => {
  it('K8 tells of a file at most four times a second, and notes all files at most twice', async () => {
    const seconds = 20;
    const keys = trial.openMany(3, {}, { limits: capped((3 * bytes.length) / (seconds + 4)) });
    const { start, downloads, folder } = trial.harness;
    await start(keys);
    await poll(() => {
      trial.harness.time.advance(50);
      return downloads.transfers().every(({ state }) => state === 'downloading') || undefined;
    });
    await pass(1000);
    let pieces = 0;
    const told = new Map<number, number>();
    downloads.watch(({ changed }) => {
      pieces += 1;
      for (const { transferId } of changed) told.set(transferId, (told.get(transferId) ?? 0) + 1);
    });
    const before = countCommits(folder);
    const came = await pass(seconds * 1000);
    expect(came).toBeGreaterThan(bytes.length);
    expect(pieces).toBeGreaterThan(seconds);
    for (const count of told.values()) expect(count).toBeLessThanOrEqual(4 * seconds + 2);
    const commits = countCommits(folder) - before;
    expect(commits).toBeGreaterThan(0);
    expect(commits).toBeLessThanOrEqual(2 * seconds);
  });

  it('K9 keeps an order that was changed while files run, through a restart', async () => {
    const keys = trial.openMany(4, {}, { maxConcurrentTransfers: 1 });
    trial.bounds.wholes = 6;
    const { start, downloads, restart, finish } = trial.harness;
    trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: 100_000 } : undefined);
    const downloadId = await start(keys);
    const ids = downloads.transfers().map(({ transferId }) => transferId);
    await poll(() => downloads.transfers()[0]?.receivedBytes === 100_000 || undefined);
    const last = ids.at(-1) ?? 0;
    await downloads.move([last], 'top');
    await downloads.prioritise({ transferIds: ids.slice(2, 3) }, 'high');
    // Nobody is stopped for it.
    expect(downloads.transfer(ids[0] ?? 0).state).toBe('downloading');
    await restart();
    await finish(downloadId);
    const firsts = [...new Set(trial.storage.requests.slice(1).map(({ path }) => path))];
    expect(firsts).toEqual(['/B2.tif', '/B3.tif', '/B0.tif', '/B1.tif']);
  });
});

/** Commits in the log of the queue's file, by the frames that end one. */
function countCommits(folder: string): number {
  const path = join(folder, 'transfers.sqlite-wal');
  if (!existsSync(path)) return 0;
  const log = readFileSync(path);
  const frameBytes = 24 + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) {
    // Frames of before the log was begun anew have another salt.
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}
