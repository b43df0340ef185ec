import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemDisk, type Disk } from '../file/disk.ts';
import { poll } from '../testing/download-harness.ts';
import { finalFiles } from '../testing/invariants.ts';
import { makeTiff, trialPath, useFaultTrial } from '../testing/fault-trial.ts';
import { partOf } from '../testing/files-in.ts';

// What the list of downloads.md d does not name.

const bytes = makeTiff(1_200_000);
const trial = useFaultTrial(bytes);
const size = bytes.length;

interface OnItsWay {
  downloadId: number;
  partPath: string;
  /** Where the file will be. */
  finalPath: string;
  /** Lets the rest come. */
  goOn: () => void;
  /** Lets the rest come, and waits for what becomes of it. */
  finish: () => ReturnType<typeof trial.harness.finish>;
}

/** A file of which more than a part has come, and the rest still does. */
async function flow(...options: Parameters<typeof trial.open>): Promise<OnItsWay> {
  const { start, destination } = trial.open(...options);
  Object.assign(trial.bounds, { requests: 12, wholes: 3 });
  const { promise: until, resolve } = Promise.withResolvers<null>();
  const goOn = () => {
    resolve(null);
  };
  trial.storage.script = (index) => (index === 0 ? { pause: { afterBytes: 600_000, until } } : undefined);
  const downloadId = await start(['B04']);
  await trial.harness.until(downloadId, ({ receivedBytes }) => receivedBytes > 300_000);
  const finalPath = join(destination, trialPath);
  const finish = () => {
    goOn();
    return trial.harness.finish(downloadId);
  };
  return { downloadId, finalPath, partPath: partOf(finalPath), goOn, finish };
}

/** What happens to a part file, and what is left of it elsewhere. */
const happenings: Record<string, (way: OnItsWay) => void> = {
  'its folder is renamed': ({ partPath }) => renameSync(dirname(partPath), `${dirname(partPath)}-moved`),
  'its folder is deleted': ({ partPath }) => rmSync(dirname(partPath), { recursive: true }),
  'a link takes its place': ({ partPath }) => {
    rmSync(partPath);
    symlinkSync(otherFile(), partPath);
  },
  'a hard link takes its place': ({ partPath }) => {
    rmSync(partPath);
    linkSync(otherFile(), partPath);
  },
  ...(process.platform !== 'win32' && {
    'a pipe takes its place': ({ partPath }: OnItsWay) => {
      rmSync(partPath);
      execFileSync('mkfifo', [partPath]);
    },
  }),
  'another file takes its place': ({ partPath }) => renameSync(otherFile(), partPath),
  'a copy of it takes its place': ({ partPath }) => {
    copyFileSync(partPath, `${partPath}-copy`);
    renameSync(`${partPath}-copy`, partPath);
  },
  'an empty file takes its place': ({ partPath }) => {
    rmSync(partPath);
    writeFileSync(partPath, '');
  },
  'it is cut off': ({ partPath }) => truncateSync(partPath, 100_000),
  'another program writes into it': ({ partPath }) => writeInto(partPath),
};

function writeInto(path: string): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(1000, 'x'), 0, 1000, 70_000);
  closeSync(file);
}

/** Looks like ours, and is as long. */
function otherFile(): string {
  const path = join(trial.harness.folder, 'other');
  writeFileSync(path, makeTiff(size, 9));
  return path;
}

describe('a file on its way comes whole although', () => {
  const known = [
    ['all', {}],
    ['the size', { checksum: null }],
    ['nothing', { checksum: null, sizeBytes: null }],
  ] as const;

  describe.each(Object.keys(happenings))('%s', (what) => {
    it.each(known)('and %s of it is known', async (_, changes) => {
      const way = await flow(changes);
      happenings[what]?.(way);
      const [transfer] = await way.finish();
      rmSync(`${dirname(way.partPath)}-moved`, { recursive: true, force: true });
      expect(transfer?.state).toBe('done');
      expect(readFileSync(transfer?.filePath ?? '').equals(bytes)).toBe(true);
      if (/^a.* link takes its place$/.test(what))
        expect(readFileSync(join(trial.harness.folder, 'other')).equals(makeTiff(size, 9))).toBe(true);
    });
  });

  it.each([-24, 24])('the clock is put by %i h', async (hours) => {
    const { finish } = await flow();
    const { time } = trial.harness;
    time.setClock(time.clock.now() + hours * 3_600_000);
    time.advance(5000);
    expect((await finish())[0]).toMatchObject({ state: 'done', verification: 'checksum' });
  });

  it('a link to nowhere takes its name', async () => {
    const { finish, finalPath } = await flow();
    symlinkSync('/nowhere/else', finalPath);
    const [transfer] = await finish();
    expect(transfer?.state).toBe('done');
    expect(transfer?.filePath).not.toBe(finalPath);
    rmSync(finalPath);
  });

  it.each([
    ['the very same takes its name meanwhile', bytes, 1],
    ['another of its size takes its name meanwhile', makeTiff(size, 9), 2],
  ])('%s', async (_, other, count) => {
    trial.bounds.sources.push(other);
    const { finish, finalPath } = await flow();
    writeFileSync(finalPath, other);
    const [transfer] = await finish();
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(readFileSync(transfer?.filePath ?? '').equals(bytes)).toBe(true);
    expect(readFileSync(finalPath).equals(other)).toBe(true);
    expect(finalFiles(trial.harness.destination)).toHaveLength(count);
  });

  it.each([
    ['the unfinished file', (part: string) => rmSync(part)],
    ['the folder that it is in', (part: string) => renameSync(dirname(part), `${dirname(part)}-away`)],
  ])('%s is gone in the middle, and the file comes once more at once', async (_, take) => {
    const { partPath, finish } = await flow();
    const { clock } = trial.harness.time;
    const beganMs = clock.now();
    take(partPath);
    expect((await finish())[0]).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(clock.now() - beganMs, 'it waits for no folder').toBeLessThan(30_000);
    rmSync(`${dirname(partPath)}-away`, { recursive: true, force: true });
  });

  it('a file takes the place of the destination for a while', async () => {
    const { goOn, finish } = await flow();
    const { destination, downloads, time } = trial.harness;
    renameSync(destination, `${destination}-away`);
    writeFileSync(destination, 'x');
    goOn();
    await poll(() => {
      time.advance(5000);
      const [transfer] = downloads.transfers();
      return transfer?.waiting?.error.code === 'transfer.destination-missing' || undefined;
    });
    rmSync(destination);
    renameSync(`${destination}-away`, destination);
    expect((await finish())[0]).toMatchObject({ state: 'done', verification: 'checksum' });
  });
});

describe('a file that was read and found good', () => {
  /** A disk on which another program writes into a part file once it was read. */
  function busyDisk(change: (path: string) => void): Disk {
    let isDone = false;
    return {
      ...systemDisk,
      async open(path, mode) {
        const file = await systemDisk.open(path, mode);
        if (mode !== 'read' || !path.endsWith('.part') || isDone) return file;
        return {
          ...file,
          async close() {
            await file.close();
            isDone = true;
            change(path);
          },
        };
      },
    };
  }

  const later = new Date('2030-01-01T00:00:00Z');

  it.each([
    ['all', {}],
    ['nothing', { checksum: null, sizeBytes: null }],
  ] as const)(
    'is not given its name as another program leaves it, and %s of it is known',
    async (_, known) => {
      const disk = busyDisk((path) => {
        const file = openSync(path, 'r+');
        writeSync(file, Buffer.alloc(1000, 'x'), 0, 1000, 70_000);
        closeSync(file);
        utimesSync(path, later, later);
      });
      trial.open(known, { disk });
      Object.assign(trial.bounds, { requests: 12, wholes: 3 });
      const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
      expect(transfer?.state).toBe('done');
      expect(readFileSync(transfer?.filePath ?? '').equals(bytes)).toBe(true);
    },
  );

  it('is given its name where only its time is another', async () => {
    trial.open({}, { disk: busyDisk((path) => utimesSync(path, later, later)) });
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(trial.storage.requests).toHaveLength(1);
  });
});

describe('a folder', () => {
  /** A file that came whole into a folder that gives it no name. */
  async function lock(): Promise<OnItsWay & { unlock: () => void }> {
    let isLocked = false;
    const unlessLocked =
      (work: (from: string, to: string) => Promise<void>) =>
      (from: string, to: string): Promise<void> =>
        isLocked && from.endsWith('.part')
          ? Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' }))
          : work(from, to);
    const disk: Disk = {
      ...systemDisk,
      link: unlessLocked(systemDisk.link),
      rename: unlessLocked(systemDisk.rename),
    };
    const way = await flow({}, { disk });
    isLocked = true;
    const [failed] = await way.finish();
    expect(failed).toMatchObject({
      state: 'failed',
      error: { code: 'transfer.destination-not-writable' },
    });
    return { ...way, unlock: () => (isLocked = false) };
  }

  it('that may not be written to any more is a person’s matter, and costs no byte', async () => {
    const { downloadId, unlock } = await lock();
    unlock();
    await trial.harness.downloads.resume({ states: ['failed'] });
    expect((await trial.harness.finish(downloadId))[0]).toMatchObject({ state: 'done' });
    expect(trial.storage.requests).toHaveLength(1);
  });

  it.each([
    ['written into', (path: string) => writeInto(path)],
    ['cut off', (path: string) => truncateSync(path, 900_000)],
    ['made longer', (path: string) => writeFileSync(path, 'more', { flag: 'a' })],
  ])('in which a file that was proved is %s gives its name to no other', async (_, change) => {
    const { downloadId, partPath, unlock } = await lock();
    change(partPath);
    unlock();
    await trial.harness.downloads.resume({ states: ['failed'] });
    const [transfer] = await trial.harness.finish(downloadId);
    expect(transfer).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(readFileSync(transfer?.filePath ?? '').equals(bytes)).toBe(true);
  });
});

describe('a person', () => {
  it('who orders the same file twice at once gets it once', async () => {
    const { start, finish, downloads, destination } = trial.open();
    const orders = await Promise.all([start(['B04']), start(['B04'])]);
    for (const downloadId of orders) await finish(downloadId);
    expect(downloads.transfers().map(({ state }) => state)).toEqual(['done']);
    expect(finalFiles(destination)).toHaveLength(1);
    expect(trial.storage.requests).toHaveLength(1);
  });
});
