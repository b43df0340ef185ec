import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksumOf, poll, type Harness } from '../testing/download-harness.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';
import { createSmallVolume, createSmallVolumes, type SmallVolume } from '../testing/small-volumes.ts';

const bytes = makeTiff(1_200_000);
const trial = useFaultTrial(bytes);
const size = bytes.length;
const reserve = 64 * 1024 * 1024;
const partSizes = { chunkBytes: 256 * 1024, checkpointBytes: 512 * 1024, writeBytes: 64 * 1024 };

/** Opens the queue for some files, their destination and another folder beside it being volumes of their own. */
function open(count: number, volume: SmallVolume, other: SmallVolume = createSmallVolume()): string[] {
  const volumes: Record<string, SmallVolume> = {};
  const keys = trial.openMany(count, {}, { disk: createSmallVolumes(volumes), partSizes });
  const { destination, folder } = trial.harness;
  // What was on its way to the disk is lost.
  trial.bounds.wholes = 2 * count;
  mkdirSync(join(folder, 'other'));
  Object.assign(volumes, { [destination]: volume, [join(folder, 'other')]: other });
  return keys;
}

const transfers = () => trial.harness.downloads.transfers();
const codes = () =>
  transfers().map(({ state, waiting, error }) => waiting?.error.code ?? error?.code ?? state);
const are = (...wanted: string[]) => codes().every((code) => wanted.includes(code));

/** Lets seconds pass while nothing goes on by itself, until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  const { time } = trial.harness;
  await poll(() => {
    if (isSo()) return true;
    if (transfers().every(({ state }) => isResting.has(state))) time.advance(1000);
    return undefined;
  });
}

const isResting: ReadonlySet<string> = new Set(['queued', 'waiting', 'done', 'failed']);

async function pass(minutes: number): Promise<void> {
  const { time } = trial.harness;
  for (let step = 0; step < minutes * 6; step += 1) {
    time.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
}

/** Has the catalog and the storage have smaller files for some assets. */
function makeSmall(keys: readonly string[]): void {
  const small = makeTiff(300_000, 3);
  const known = { sizeBytes: small.length, checksum: checksumOf(small) };
  trial.bounds.sources.push(small);
  for (const key of keys) {
    trial.storage.files.set(`/${key}.tif`, small);
    const asset = trial.catalog.assets[key];
    if (asset) trial.catalog.assets[key] = { ...asset, ...known };
    Object.assign((trial.harness.item.assets as Record<string, object>)[key] ?? {}, {
      'file:size': known.sizeBytes,
      'file:checksum': known.checksum,
    });
  }
}

async function startIn(harness: Harness, assetKeys: string[], folder: string): Promise<void> {
  const ref = { collectionId: 's2', itemId: 'scene' };
  const destination = join(harness.folder, folder);
  await harness.downloads.start({ connectionId: 'test', ref, assetKeys, destination, links: 'auto' });
}

describe.each([
  ['', 'ENOSPC', false],
  ['late, ', 'ENOSPC', true],
  ['by quota, ', 'EDQUOT', false],
  ['late by quota, ', 'EDQUOT', true],
] as const)('a volume that fills up (%s%s) while several files come', (_, fullCode, isLate) => {
  it('keeps what it has, asks for nothing in vain for an hour, and goes on by itself with room', async () => {
    const volume = createSmallVolume({
      fullCode,
      isLate,
      roomBytes: fullCode === 'EDQUOT' ? 2.5 * size : reserve + 8 * size,
    });
    const keys = open(6, volume);
    trial.bounds.requests = 40;
    // Somebody else fills it.
    trial.storage.onSent = (sent) => {
      if (sent > 1.5 * size && volume.fullCode === 'ENOSPC' && volume.roomBytes > 0) volume.roomBytes = 0;
    };
    await trial.harness.start(keys);
    await until(() => are('transfer.disk-full', 'queued', 'done') && codes().includes('transfer.disk-full'));
    await pass(2);
    const requests = trial.storage.requests.length;
    const sent = trial.storage.sentBytes;
    await pass(60);
    expect(trial.storage.requests.length - requests).toBe(0);
    expect(trial.storage.sentBytes).toBe(sent);
    expect(are('transfer.disk-full', 'queued', 'done')).toBe(true);
    trial.storage.onSent = () => undefined;
    volume.roomBytes = reserve + 8 * size;
    await until(() => are('done'));
  });

  it('leaves files that go elsewhere alone', async () => {
    const volume = createSmallVolume({ fullCode, isLate });
    const other = createSmallVolume({ roomBytes: reserve + 8 * size });
    const keys = open(6, volume, other);
    trial.bounds.requests = 40;
    await startIn(trial.harness, keys.slice(0, 3), 'out');
    await until(() => are('transfer.disk-full'));
    await startIn(trial.harness, keys.slice(3), 'other');
    await until(() => codes().filter((code) => code === 'done').length === 3);
    expect(codes().filter((code) => code === 'transfer.disk-full')).toHaveLength(3);
    volume.roomBytes = reserve + 8 * size;
    await until(() => are('done'));
  });

  it('when files are done but for what lies beside them has none of them read or fetched again in vain', async () => {
    const volume = createSmallVolume({ fullCode, isLate, roomBytes: reserve + 2 * size });
    const keys = open(2, volume);
    trial.storage.script = () => ({ bytesPerSecond: 4_000_000 });
    await trial.harness.start(keys);
    await poll(() => transfers().every(({ receivedBytes }) => receivedBytes > size / 3) || undefined);
    volume.roomBytes -= reserve;
    await until(() => are('transfer.disk-full', 'queued', 'done') && codes().includes('transfer.disk-full'));
    await pass(2);
    const { length } = trial.storage.requests;
    const { readCount } = volume;
    await pass(30);
    expect(trial.storage.requests.length).toBe(length);
    expect(volume.readCount).toBe(readCount);
    volume.roomBytes = reserve + 4 * size;
    await until(() => are('done'));
  });
});

describe('a volume that has room for some', () => {
  it('takes what fits while larger files wait', async () => {
    const volume = createSmallVolume({ roomBytes: reserve + 0.9 * size });
    const keys = open(6, volume);
    makeSmall(keys.slice(3));
    await trial.harness.start(keys);
    await until(() =>
      codes()
        .slice(3)
        .every((code) => code === 'done'),
    );
    expect(codes().slice(0, 3)).toContain('transfer.disk-full');
    volume.roomBytes = reserve + 8 * size;
    await until(() => are('done'));
  });
});

describe('what waits behind a full volume', () => {
  it('says what for, how much is missing, and when it is looked at again', async () => {
    const volume = createSmallVolume({ roomBytes: reserve + 0.5 * size });
    const keys = open(6, volume);
    await trial.harness.start(keys);
    await poll(() => are('transfer.disk-full') || undefined);
    for (const minutes of [0, 5]) {
      await pass(minutes);
      const { time, downloads } = trial.harness;
      expect(downloads.status().counts).toMatchObject({ waiting: 6, queued: 0 });
      for (const { waiting } of transfers()) {
        expect(waiting?.error.details).toMatchObject({ neededBytes: size, freeBytes: volume.roomBytes });
        const lookMs = Date.parse(waiting?.resumeAt ?? '') - time.clock.now();
        expect(lookMs).toBeGreaterThan(0);
        expect(lookMs).toBeLessThanOrEqual(30_000);
      }
    }
    volume.roomBytes = reserve + 8 * size;
    await until(() => are('done'));
  });

  it('hides no smaller file, though more than a thousand stand before it', async () => {
    const volume = createSmallVolume({ roomBytes: reserve + 0.9 * size });
    const keys = open(1101, volume);
    makeSmall(keys.slice(-1));
    await trial.harness.start(keys);
    await until(() => codes().at(-1) === 'done');
    expect(are('transfer.disk-full', 'done')).toBe(true);
  });
});

describe('a volume that may suddenly not be written to', () => {
  it('is a person’s matter, and costs no byte but those on their way', async () => {
    const volume = createSmallVolume({ roomBytes: reserve + 8 * size });
    const keys = open(3, volume);
    trial.storage.script = (index) => (index < 3 ? { bytesPerSecond: 2_000_000 } : undefined);
    await trial.harness.start(keys);
    await poll(() => transfers().every(({ receivedBytes }) => receivedBytes > size / 2) || undefined);
    volume.lockedCode = 'EROFS';
    await until(() => are('transfer.destination-not-writable'));
    volume.lockedCode = null;
    await trial.harness.downloads.resume({ states: ['failed'] });
    await until(() => are('done'));
    trial.bounds.requests = 10;
  });
});

describe.each(['ENOENT', 'EIO', 'ENODEV', 'ENXIO', 'ESTALE'])('a drive that is pulled out (%s)', (code) => {
  it('is waited for, whatever had failed before, and files go on when it is back', async () => {
    const volume = createSmallVolume({ roomBytes: reserve + 8 * size });
    const keys = open(3, volume);
    // Each has failed once before.
    trial.storage.script = (index) =>
      index < 3 ? { status: 502 } : index < 6 ? { bytesPerSecond: 2_000_000 } : undefined;
    await trial.harness.start(keys);
    await until(() => transfers().every(({ receivedBytes }) => receivedBytes > size / 3));
    volume.goneCode = code;
    await until(() => are('transfer.destination-missing'));
    const { length } = trial.storage.requests;
    await pass(30);
    expect(trial.storage.requests.length).toBe(length);
    await until(() => are('transfer.destination-missing'));
    volume.goneCode = null;
    await until(() => are('done'));
    trial.bounds.requests = 14;
  });
});
