import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemDisk, type Disk } from '../file/disk.ts';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { filesIn } from '../testing/files-in.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(1_000_000);
const test = useDownloads(bytes);
const undoMs = 30_000;

/** A disk that takes its time with the first part file that it deletes. */
function reluctantDisk() {
  let isAsked = false;
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const disk: Disk = {
    ...systemDisk,
    async unlink(path) {
      if (path.endsWith('.part') && !isAsked) {
        isAsked = true;
        await isReleased;
      }
      return systemDisk.unlink(path);
    },
  };
  return { disk, isAsked: () => isAsked || undefined, release };
}

const one = (assetKey: string) =>
  test.harness.downloads.transfers().find((transfer) => transfer.assetKey === assetKey);
const parts = () => test.harness.files().filter((path) => path.endsWith('.part'));

/** Two transfers that have half of their files, cancelled for good. */
async function cancelHalfway(disk: Disk): Promise<void> {
  test.open({ B01: test.asset('B01.bin'), B02: test.asset('B02.bin') }, { disk, undoMs });
  test.server.script = () => ({ stallAfterBytes: 500_000 });
  await test.harness.start(['B01', 'B02']);
  const isHalf = (key: string) => (one(key)?.receivedBytes ?? 0) >= 500_000;
  await poll(() => (isHalf('B01') && isHalf('B02') ? true : undefined));
  await test.harness.downloads.pause({});
  await test.harness.downloads.cancel({});
  test.harness.time.advance(undoMs);
  test.server.script = () => undefined;
}

/** A disk of which no part file can be deleted as long as it is away, as on a share that nobody answers for. */
function awayDisk() {
  const share = { isAway: true, askedCount: 0 };
  const disk: Disk = {
    ...systemDisk,
    async unlink(path) {
      if (path.endsWith('.part')) share.askedCount += 1;
      if (share.isAway) throw Object.assign(new Error('EHOSTDOWN'), { code: 'EHOSTDOWN' });
      return systemDisk.unlink(path);
    },
  };
  return { disk, share };
}

describe('part files of what was cancelled', () => {
  it('are deleted when it can no longer be taken back', async () => {
    await cancelHalfway(systemDisk);
    await poll(() => (parts().length === 0 ? true : undefined));
    await poll(() => (one('B02')?.receivedBytes === 0 ? true : undefined));
    expect(one('B01')).toMatchObject({
      state: 'cancelled',
      undoUntil: null,
      receivedBytes: 0,
      filePath: null,
    });
    expect(test.harness.files()).toEqual([]);
  });

  it('go on in those that are taken up again before their turn', async () => {
    const { disk, isAsked, release } = reluctantDisk();
    await cancelHalfway(disk);
    await poll(isAsked);
    await test.harness.downloads.resume(one('B02')?.transferId ?? 0);
    await poll(() => (one('B02')?.state === 'done' ? true : undefined));
    release();
    expect(test.server.requests.at(-1)?.headers.range).toMatch(/^bytes=[1-9]/);
    await poll(() => (parts().length === 0 ? true : undefined));
    expect(one('B01')?.state).toBe('cancelled');
  });

  it('and can not be deleted are deleted by the next start, removed or not', async () => {
    const { disk, share } = awayDisk();
    await cancelHalfway(disk);
    await poll(() => (share.askedCount === 2 ? true : undefined));
    await test.harness.downloads.remove(one('B01')?.transferId ?? 0);
    await poll(() => (share.askedCount === 3 ? true : undefined));
    expect(parts()).toHaveLength(2);
    share.isAway = false;
    await test.harness.restart();
    await poll(() => (parts().length === 0 ? true : undefined));
    await poll(() => (one('B02')?.receivedBytes === 0 ? true : undefined));
    expect(test.harness.files()).toEqual([]);
  });

  it('are deleted by the next start where the program ended meanwhile', async () => {
    const { disk, isAsked, release } = reluctantDisk();
    await cancelHalfway(disk);
    await poll(isAsked);
    const restarted = test.harness.restart({ disk: systemDisk });
    release();
    await restarted;
    await poll(() => (parts().length === 0 ? true : undefined));
  });
});

describe('part files of what was removed', () => {
  it('on a drive that hangs, hold up neither those on another nor the end', async () => {
    const share = { isHanging: true, path: '' };
    const disk: Disk = {
      ...systemDisk,
      unlink: (path) =>
        share.isHanging && path.startsWith(share.path)
          ? new Promise(() => undefined)
          : systemDisk.unlink(path),
    };
    test.open({ B01: test.asset('B01.bin'), B02: test.asset('B02.bin') }, { disk, undoMs });
    share.path = test.harness.destination;
    const other = join(test.harness.folder, 'zz');
    mkdirSync(other);
    test.server.script = () => ({ stallAfterBytes: 500_000 });
    await test.harness.start(['B01']);
    const ref = { collectionId: 's2', itemId: test.harness.item.id };
    const order = { connectionId: 'test', ref, assetKeys: ['B02'], links: 'auto' as const };
    await test.harness.downloads.start({ ...order, destination: other });
    await poll(() => (filesIn(other).length > 0 && parts().length > 0 ? true : undefined));
    await test.harness.downloads.cancel({});
    expect(await test.harness.downloads.remove({})).toEqual({ count: 2 });
    await poll(() => (filesIn(other).length === 0 ? true : undefined));
    expect(parts()).toHaveLength(1);
    const restarted = test.harness.restart();
    test.harness.time.advance(3000);
    share.isHanging = false;
    await restarted;
    await poll(() => (parts().length === 0 ? true : undefined));
  });
});
