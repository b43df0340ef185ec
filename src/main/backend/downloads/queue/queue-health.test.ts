import {
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemDisk } from '../file/disk.ts';
import { makeBytes, poll } from '../testing/download-harness.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeBytes(9_000_000);
const test = useDownloads(bytes);
const file = () => join(test.harness.folder, 'transfers.sqlite');
const backup = () => `${file()}.backup`;

/** Makes the copy that is due once an order is in the queue. */
async function backUp(): Promise<void> {
  const before = existsSync(backup()) ? readFileSync(backup()) : null;
  await poll(() => {
    test.harness.time.advance(60_000);
    return existsSync(backup()) && (before === null || !before.equals(readFileSync(backup())))
      ? true
      : undefined;
  });
}

function damage(): void {
  const whole = readFileSync(file());
  writeFileSync(file(), Buffer.concat([Buffer.alloc(4096, 'x'), whole.subarray(4096)]));
}

/** Spoils the page of the queue's file that a text is on. */
function damagePageOf(text: string): void {
  const whole = readFileSync(file());
  const at = whole.lastIndexOf(text);
  expect(at).toBeGreaterThan(4096);
  whole.fill(0xff, at - (at % 4096), at - (at % 4096) + 4096);
  writeFileSync(file(), whole);
}

describe('a queue file that is damaged while the queue is at work', () => {
  const keys = Array.from({ length: 120 }, (_, index) => `asset-number-${index}`);

  it('ends the work with what to do, and the next start goes on from the last good copy', async () => {
    test.open(Object.fromEntries(keys.map((key) => [key, test.asset(`${key}.bin`)])));
    await test.harness.downloads.pauseQueue();
    const downloadId = await test.harness.start(keys);
    await backUp();
    const good = readFileSync(backup());
    await test.harness.downloads.close();
    // It was closed well, so that nobody looks through it, and this page is read late.
    damagePageOf('asset-number-60');
    await test.harness.restart();
    const settled = test.harness.downloads.waitUntilSettled(downloadId).catch((error: unknown) => error);
    test.harness.downloads.resumeQueue();
    const hold = await poll(() => test.harness.downloads.status().hold ?? undefined);
    expect(hold).toMatchObject({ error: { code: 'library.corrupt' }, resumeAt: null });
    expect(await settled, 'nobody waits for what never comes').toMatchObject({ code: 'library.corrupt' });
    test.harness.time.advance(20 * 60_000);
    await test.harness.downloads.close();
    expect(readFileSync(backup()).equals(good)).toBe(true);
    await test.harness.restart();
    expect(test.harness.downloads.status().notice).toMatchObject({ kind: 'rebuilt' });
    expect(test.harness.downloads.transfers()).toHaveLength(120);
  });
});

describe('a damaged queue file', () => {
  it('is moved aside, and the last copy takes its place', async () => {
    test.open({ B04: test.asset('B04.bin'), B05: test.asset('B05.bin') });
    await test.harness.finish(await test.harness.start(['B04']));
    await backUp();
    await test.harness.downloads.close();
    damage();
    await test.harness.restart();
    expect(test.harness.downloads.transfers()).toMatchObject([{ assetKey: 'B04', state: 'done' }]);
    const { notice } = test.harness.downloads.status();
    expect(notice).toMatchObject({ kind: 'rebuilt', adoptedCount: 0 });
    expect(notice?.backupAt).not.toBeNull();
    expect(readFileSync(notice?.asidePath ?? '', 'latin1').startsWith('xxxx')).toBe(true);
    test.harness.downloads.dismissNotice();
    await test.harness.restart();
    expect(test.harness.downloads.status().notice).toBeNull();
  });

  it.each([
    ['is empty', () => truncateSync(file())],
    ['is gone', () => rmSync(file())],
  ])('that %s is damaged too where there is a copy, and no new queue', async (_, lose) => {
    test.open({ B04: test.asset('B04.bin') });
    await test.harness.finish(await test.harness.start(['B04']));
    await backUp();
    await test.harness.downloads.close();
    lose();
    const isLeft = existsSync(file());
    await test.harness.restart();
    expect(test.harness.downloads.transfers()).toMatchObject([{ assetKey: 'B04', state: 'done' }]);
    const { notice } = test.harness.downloads.status();
    expect(notice).toMatchObject({ kind: 'rebuilt', adoptedCount: 0 });
    expect(notice?.asidePath !== null).toBe(isLeft);
  });

  it('of which there is no copy leaves part files that are found and brought to their end', async () => {
    test.open({ B04: test.asset('B04.bin') });
    test.server.script = () => ({ stallAfterBytes: 2_000_000 });
    const downloadId = await test.harness.start(['B04']);
    const { transferId } = await test.harness.until(
      downloadId,
      ({ receivedBytes }) => receivedBytes > 1_500_000,
    );
    await test.harness.downloads.pause(transferId);
    await test.harness.downloads.close();
    damage();
    renameSync(file(), `${file()}.gone`);
    writeNonsense();
    test.server.script = () => undefined;
    const { destination } = test.harness;
    await test.harness.restart({ knownDestinations: () => [{ connectionId: 'test', destination }] });
    const found = await poll(() => test.harness.downloads.transfers()[0]);
    expect(test.harness.downloads.orders()).toMatchObject([{ origin: { kind: 'recovered' } }]);
    await test.harness.finish(found.downloadId);
    expect(test.harness.read('s2/2024/scene/B04.bin').equals(bytes)).toBe(true);
    expect(readdirSync(join(destination, 's2/2024/scene')).filter((name) => name.includes('.part'))).toEqual(
      [],
    );
    expect(test.harness.downloads.status().notice).toMatchObject({ adoptedCount: 1, backupAt: null });
  });

  it('of which there is a copy leaves alone what another program brings into the same folder', async () => {
    test.open({ B04: test.asset('B04.bin') });
    test.server.script = () => ({ stallAfterBytes: 2_000_000 });
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ receivedBytes }) => receivedBytes > 1_500_000);
    await backUp();
    await test.harness.downloads.close();
    damage();
    const { destination } = test.harness;
    const folder = join(destination, 's2/2024/scene');
    const own = readdirSync(folder).find((name) => name.endsWith('.part.json')) ?? '';
    const note = readFileSync(join(folder, own));
    const leave = (name: string) => {
      writeFileSync(join(folder, name), note);
      writeFileSync(join(folder, name.replace(/\.json$/, '')), 'what came of it');
    };
    // A part that the copy doesn't know yet, and one of another queue.
    leave(own.replace(/\.\d+-/, '.99-'));
    leave(own.replace(/-[0-9a-f]+\.part/, '-0ff1ce.part'));
    await test.harness.restart({ knownDestinations: () => [{ connectionId: 'test', destination }] });
    const adoptedCount = await poll(() => test.harness.downloads.status().notice?.adoptedCount || undefined);
    expect(adoptedCount).toBe(1);
    expect(test.harness.downloads.transfers()).toHaveLength(2);
  });

  it('has nothing taken up again that was removed, though its disk has not let it go yet', async () => {
    const unlink = () => Promise.reject(Object.assign(new Error('EHOSTDOWN'), { code: 'EHOSTDOWN' }));
    test.open({ B04: test.asset('B04.bin') }, { disk: { ...systemDisk, unlink } });
    test.server.script = () => ({ stallAfterBytes: 2_000_000 });
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ receivedBytes }) => receivedBytes > 1_500_000);
    await test.harness.downloads.cancel({});
    await test.harness.downloads.remove({});
    await backUp();
    await test.harness.downloads.close();
    damage();
    const { destination } = test.harness;
    const isLeft = () => test.harness.files().some((path) => path.endsWith('.part'));
    await test.harness.restart({ knownDestinations: () => [{ connectionId: 'test', destination }] });
    expect([test.harness.downloads.status().notice?.kind, isLeft()]).toEqual(['rebuilt', true]);
    await test.harness.restart({ disk: systemDisk });
    expect(test.harness.downloads.transfers()).toEqual([]);
    await poll(() => (isLeft() ? undefined : true));
  });

  it('of which the end of the log is lost, goes on from what was written before', async () => {
    test.open({ B04: test.asset('B04.bin') });
    test.server.script = () => ({ stallAfterBytes: 2_000_000 });
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ receivedBytes }) => receivedBytes > 1_500_000);
    const [database, log] = [readFileSync(file()), readFileSync(`${file()}-wal`)];
    for (const cut of [log.length - 1, log.length - 5000, Math.floor(log.length / 2)]) {
      await test.harness.downloads.close();
      writeFileSync(file(), database);
      writeFileSync(`${file()}-wal`, log);
      truncateSync(`${file()}-wal`, cut);
      test.server.script = () => undefined;
      await test.harness.restart();
      expect(test.harness.downloads.status().notice).toBeNull();
    }
    for (const one of test.harness.downloads.orders()) await test.harness.finish(one.downloadId);
  });
});

// A file of nobody's making where the queue's should be.
function writeNonsense(): void {
  writeFileSync(file(), 'not a database at all, and longer than a header of a hundred bytes'.repeat(10));
}
