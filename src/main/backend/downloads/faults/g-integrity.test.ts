import {
  appendFileSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { silentLogger, type Logger } from '../../ports.ts';
import { checksumOf } from '../testing/download-harness.ts';
import { finalFiles } from '../testing/invariants.ts';
import { makeTiff, trialPath, useFaultTrial } from '../testing/fault-trial.ts';
import { partOf } from '../testing/files-in.ts';

const bytes = makeTiff(1_200_000);
const otherBytes = makeTiff(1_200_000, 2);
const trial = useFaultTrial(bytes);
const cutAt = 700_000;
const hashOf = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');

/** A transfer of which a part came before it was paused. */
async function pauseHalfWay() {
  const { downloads, start, until } = trial.open();
  trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: cutAt } : undefined);
  const downloadId = await start(['B04']);
  const { transferId } = await until(downloadId, ({ receivedBytes }) => receivedBytes === cutAt);
  await downloads.pause(transferId);
  const partPath = partOf(join(trial.harness.destination, trialPath));
  return { downloadId, transferId, partPath };
}

describe('integrity', () => {
  it('G1 mends a bit that was flipped on the way', async () => {
    trial.open();
    trial.bounds.wholes = 3;
    trial.bounds.requests = 6;
    expect(await trial.bring({ flippedByte: 333_333 })).toMatchObject({
      state: 'done',
      verification: 'checksum',
    });
  });

  it('shows while a file is put right that it was wrong, and how fast bytes come again', async () => {
    const { downloads, start, until } = trial.open();
    trial.bounds.wholes = 4;
    trial.bounds.requests = 10;
    trial.storage.script = () => ({ flippedByte: 333_333 });
    trial.mirror.script = () => ({ stallAfterBytes: cutAt });
    const downloadId = await start(['B04']);
    const wrong = { code: 'transfer.checksum-mismatch' };
    const isMended = ({ state, error }: Transfer) => state === 'verifying' && error !== null;
    const { transferId } = await until(downloadId, isMended);
    // Of the run that goes on nothing but that comes.
    await downloads.pause(transferId);
    await downloads.resume(transferId);
    const mended = await until(downloadId, (one) => isMended(one) && one.bytesPerSecond > 0);
    expect(mended).toMatchObject({ receivedBytes: bytes.length, error: wrong });
    expect(downloads.details(transferId).events.at(-1)).toMatchObject({ state: 'verifying', error: wrong });
    trial.mirror.script = () => undefined;
    await downloads.pause(transferId);
    await downloads.resume(transferId);
    expect(await until(downloadId, ({ state }) => state === 'done')).toMatchObject({ error: null });
  });

  it('G2 publishes nothing that has another checksum than announced, and says both', async () => {
    trial.open({ checksum: checksumOf(otherBytes) });
    trial.bounds.wholes = 4;
    trial.bounds.requests = 8;
    const transfer = await trial.bring();
    expect(transfer).toMatchObject({
      state: 'failed',
      error: {
        details: { expected: checksumOf(otherBytes).slice(4), actual: checksumOf(bytes).slice(4) },
      },
    });
    expect(finalFiles(trial.harness.destination)).toEqual([]);
  });

  it('G3 publishes nothing of another size than announced', async () => {
    trial.open({ sizeBytes: bytes.length - 1 });
    // Refused by their heads, but on their way already.
    trial.bounds.wholes = 4;
    trial.bounds.requests = 8;
    expect(await trial.bring()).toMatchObject({
      state: 'failed',
      error: {
        code: 'transfer.size-mismatch',
        details: { expectedBytes: bytes.length - 1, actualBytes: bytes.length },
      },
    });
  });

  it('G4 verifies by every kind of checksum', async () => {
    const checksums = [
      `1114${hashOf('sha1')}`,
      `1220${hashOf('sha256')}`,
      `1340${hashOf('sha512')}`,
      `1620${hashOf('sha3-256')}`,
      `d50110${hashOf('md5')}`,
      `c0e40240${hashOf('blake2b512')}`,
      // Cut off, as the STAC file extension itself shows it.
      `1214${hashOf('sha256').slice(0, 40)}`,
    ];
    const keys = trial.openMany(checksums.length);
    keys.forEach((key, index) => {
      const asset = trial.catalog.assets[key];
      if (asset) asset.checksum = checksums[index] ?? null;
      const listed = trial.harness.item.assets as Record<string, Record<string, unknown>>;
      listed[key] = { ...listed[key], 'file:checksum': checksums[index] };
    });
    for (const transfer of await trial.harness.finish(await trial.harness.start(keys)))
      expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
  });

  it.each(['zzzz', '1220abcd', 'ff'])('G5 calls a file with the checksum %j unverified', async (checksum) => {
    const warned: unknown[] = [];
    const warn: Logger['warn'] = (what, facts) => {
      if (what === 'transfer.checksum-unusable') warned.push(facts);
    };
    trial.open({ checksum }, { logger: { ...silentLogger, warn } });
    const unverified = { verification: 'size-only', checksumProblem: 'malformed' };
    expect(await trial.bring()).toMatchObject({ state: 'done', ...unverified });
    const report = trial.harness.downloads.report(null);
    expect(report.unverified).toMatchObject([{ why: 'checksum-malformed' }]);
    expect(warned).toMatchObject([{ checksum, problem: 'malformed' }]);
  });

  it('G7 goes on from what is left of a part that was cut off', async () => {
    const { downloadId, transferId, partPath } = await pauseHalfWay();
    trial.bounds.wholes = 2;
    truncateSync(partPath, 300_000);
    await trial.harness.downloads.resume(transferId);
    expect((await trial.harness.finish(downloadId))[0]?.state).toBe('done');
  });

  it('G7 drops what somebody wrote behind a part', async () => {
    const { downloadId, transferId, partPath } = await pauseHalfWay();
    appendFileSync(partPath, Buffer.alloc(100_000, 7));
    await trial.harness.downloads.resume(transferId);
    expect((await trial.harness.finish(downloadId))[0]?.state).toBe('done');
    expect(trial.ranges()[1]).toBe(`bytes=${cutAt - 65_536}-`);
  });

  it('G8 writes through no folder and no link in place of a part', async () => {
    const { downloadId, transferId, partPath } = await pauseHalfWay();
    trial.bounds.wholes = 2;
    const victim = join(trial.harness.folder, 'victim');
    writeFileSync(victim, 'mine');
    rmSync(partPath);
    symlinkSync(victim, partPath);
    await trial.harness.downloads.resume(transferId);
    expect((await trial.harness.finish(downloadId))[0]?.state).toBe('done');
    expect(existsSync(victim)).toBe(true);
  });

  it('G8 leaves a folder in place of a part alone', async () => {
    const { downloadId, transferId, partPath } = await pauseHalfWay();
    trial.bounds.wholes = 2;
    rmSync(partPath);
    mkdirSync(partPath);
    await trial.harness.downloads.resume(transferId);
    expect((await trial.harness.finish(downloadId))[0]?.state).toBe('done');
    expect(existsSync(partPath)).toBe(true);
  });

  it('G10 takes 32 digits for an MD5', async () => {
    trial.open({ checksum: hashOf('md5') });
    expect(await trial.bring()).toMatchObject({ state: 'done', verification: 'checksum' });
  });

  it('G10 publishes nothing with another MD5', async () => {
    trial.open({ checksum: createHash('md5').update(otherBytes).digest('hex') });
    trial.bounds.wholes = 4;
    trial.bounds.requests = 8;
    expect((await trial.bring()).state).toBe('failed');
    expect(finalFiles(trial.harness.destination)).toEqual([]);
  });
});
