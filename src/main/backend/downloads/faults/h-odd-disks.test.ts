import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemDisk, type Disk } from '../file/disk.ts';
import { clashKey } from '../output/safe-names.ts';
import { poll, type TestAsset } from '../testing/download-harness.ts';
import { makeTiff, trialPath, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(300_000);
const trial = useFaultTrial(bytes);
const gibibyte = 1024 ** 3;

function failWith(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}

/** A drive as exFAT and most shares are, on which a name can't be changed for as long as another program looks at it. */
function lockedDrive(isLocked: () => boolean): Disk {
  return {
    ...systemDisk,
    link: failWith('EPERM'),
    rename: (from, to) =>
      isLocked() && from.endsWith('.part') ? failWith('EBUSY')() : systemDisk.rename(from, to),
  };
}

/** Orders assets of these hrefs, by keys that begin as their names do, and brings them home. */
async function bringNamed(names: readonly string[]) {
  trial.open();
  const [asset] = Object.values(trial.catalog.assets);
  const entries = names.map((name, index) => [
    `k${index}`,
    { ...asset, href: `${trial.storage.origin}/${index}/${encodeURIComponent(name)}` },
  ]);
  trial.catalog.assets = Object.fromEntries(entries) as Record<string, TestAsset>;
  trial.harness.item.assets = Object.fromEntries(
    names.map((name, index) => [
      `k${index}`,
      { href: `s3://bucket/${index}/${encodeURIComponent(name)}`, 'file:size': bytes.length },
    ]),
  );
  Object.assign(trial.bounds, {
    transferCount: names.length,
    wholes: names.length,
    requests: 2 * names.length + 4,
  });
  return trial.harness.finish(await trial.harness.start(names.map((_, index) => `k${index}`)));
}

describe('disks and names', () => {
  it('H4 asks for no byte of a file that a FAT32 drive can’t hold', async () => {
    const fat32: Disk = {
      ...systemDisk,
      freeBytes: () => Promise.resolve(100 * gibibyte),
      async open(path, mode) {
        const file = await systemDisk.open(path, mode);
        const truncate = (length: number) =>
          length > 4 * gibibyte - 1 ? failWith('EFBIG')() : file.truncate(length);
        return { ...file, truncate };
      },
    };
    const { start, finish, files } = trial.open({ sizeBytes: 6 * gibibyte, checksum: null }, { disk: fat32 });
    const [transfer] = await finish(await start(['B04']));
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'transfer.fs-too-small' } });
    expect(trial.storage.requests).toEqual([]);
    expect(files().filter((path) => path.includes('.swath-'))).toEqual([]);
  });

  it('H7 waits for a name as long as another program looks at the file', async () => {
    let isLocked = true;
    const { start, until, time } = trial.open({}, { disk: lockedDrive(() => isLocked) });
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'finalizing');
    const startMs = time.timers.elapsedMs();
    await poll(() => {
      time.advance(200);
      isLocked = time.timers.elapsedMs() - startMs < 20_000;
      return trial.harness.downloads.transfers()[0]?.state === 'done' || undefined;
    });
    expect(time.timers.elapsedMs() - startMs).toBeGreaterThanOrEqual(20_000);
    expect(trial.harness.read(trialPath).equals(bytes)).toBe(true);
  });

  it('H7 says so when the other program never lets go, and needs no new byte when it does', async () => {
    let isLocked = true;
    const { start, time, downloads, finish } = trial.open({}, { disk: lockedDrive(() => isLocked) });
    const downloadId = await start(['B04']);
    const { waiting } = await poll(() => {
      time.advance(200);
      return downloads.transfers().find(({ state }) => state === 'waiting');
    });
    expect(waiting).toMatchObject({ error: { code: 'transfer.file-locked' } });
    isLocked = false;
    expect((await finish(downloadId))[0]).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(trial.storage.requests).toHaveLength(1);
  });

  it('H8 gives every file a name that all systems take, the same every time', async () => {
    const odd = [
      'CON.tif',
      'aux.tif',
      'NUL',
      'a:b?.tif',
      'dots...',
      'space .tif ',
      `${'x'.repeat(300)}.tif`,
      '🛰️🌍.tif',
      'cafe\u0301.tif',
      'caf\u00e9.tif',
      '.hidden.tif',
      '\u202Efdt.tif',
      'a\u0000b.tif',
      '..%2Fup.tif',
    ];
    const transfers = await bringNamed(odd);
    const names = transfers.map(({ filePath }) => basename(filePath ?? ''));
    expect(transfers.map(({ state }) => state)).toEqual(odd.map(() => 'done'));
    expect(new Set(names.map(clashKey)).size).toBe(odd.length);
    for (const name of names) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name).not.toMatch(/^(con|aux|nul)(\.|$)|[<>:"/\\|?*\p{Cc}\p{Cf}]|[. ]$|^\./iu);
    }
    const again = await trial.harness.downloads.start({
      connectionId: 'test',
      ref: { collectionId: 's2', itemId: 'scene' },
      assetKeys: odd.map((_, index) => `k${index}`),
      destination: makeFolder('again'),
      links: 'auto',
    });
    trial.bounds.transferCount *= 2;
    trial.bounds.wholes *= 2;
    trial.bounds.requests *= 2;
    const others = await trial.harness.finish(again.downloadId);
    expect(others.map(({ filePath }) => basename(filePath ?? ''))).toEqual(names);
  });

  it.each([
    ['takes a path beyond 260 characters', 400, 'done'],
    ['says so when a path is longer than the system takes', 4060, 'transfer.path-too-long'],
  ])('H12 %s', async (_, length, outcome) => {
    const { destination } = trial.open();
    let deep = destination;
    while (deep.length < length - 210) deep = join(deep, 'd'.repeat(200));
    deep = join(deep, 'd'.repeat(Math.max(1, length - deep.length - 1)));
    mkdirSync(deep, { recursive: true });
    const ref = { collectionId: 's2', itemId: 'scene' };
    const { downloadId } = await trial.harness.downloads.start({
      connectionId: 'test',
      ref,
      assetKeys: ['B04'],
      destination: deep,
      links: 'auto',
    });
    const [transfer] = await trial.harness.finish(downloadId);
    expect(transfer?.error?.code ?? transfer?.state).toBe(outcome);
  });
});

function makeFolder(name: string): string {
  const folder = join(trial.harness.folder, name);
  mkdirSync(folder);
  return folder;
}
