import {
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemDisk, type Disk } from './disk.ts';
import { deleteFile, isTaken, publishPart } from './publish.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-publish-'));
  writeFileSync(at('a.part'), 'new');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function failWith(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}

describe('publishPart', () => {
  it('gives the file its name and leaves no part', async () => {
    expect(await publishPart(at('a.part'), at('a.tif'))).toBe(true);
    expect(readFileSync(at('a.tif'), 'utf8')).toBe('new');
    expect(existsSync(at('a.part'))).toBe(false);
  });

  it('replaces nothing, not even a link to nowhere', async () => {
    writeFileSync(at('a.tif'), 'old');
    symlinkSync(at('nowhere'), at('b.tif'));
    expect(await publishPart(at('a.part'), at('a.tif'))).toBe(false);
    expect(await publishPart(at('a.part'), at('b.tif'))).toBe(false);
    expect(readFileSync(at('a.tif'), 'utf8')).toBe('old');
    expect(readFileSync(at('a.part'), 'utf8')).toBe('new');
    expect(existsSync(at('nowhere'))).toBe(false);
    expect(await isTaken(at('b.tif'))).toBe(true);
  });

  it('says so when the folder is gone', async () => {
    const error = await publishPart(at('a.part'), at('gone/a.tif')).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'transfer.destination-missing' });
  });

  it('does not need the folder to be synced', async () => {
    const disk: Disk = { ...systemDisk, syncFolder: failWith('EPERM') };
    expect(await publishPart(at('a.part'), at('a.tif'), { disk })).toBe(true);
  });
});

describe.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EISDIR', 'EMLINK'])(
  'on a file system that answers %s to a hard link, publishPart',
  (code) => {
    const disk: Disk = { ...systemDisk, link: failWith(code) };

    it('renames', async () => {
      expect(await publishPart(at('a.part'), at('a.tif'), { disk })).toBe(true);
      expect(readdirSync(folder)).toEqual(['a.tif']);
    });

    it('replaces nothing', async () => {
      writeFileSync(at('a.tif'), 'old');
      expect(await publishPart(at('a.part'), at('a.tif'), { disk })).toBe(false);
      expect(readFileSync(at('a.tif'), 'utf8')).toBe('old');
      expect(readFileSync(at('a.part'), 'utf8')).toBe('new');
    });
  },
);

describe.each(['EPERM', 'EACCES', 'EBUSY'])(
  'while Windows answers %s, because a file is open elsewhere',
  (code) => {
    /** A disk on which names can't be changed for some time. */
    function locked(until: () => boolean): Disk {
      const locks = <Args extends string[]>(work: (...args: Args) => Promise<void>) => {
        return async (...args: Args) => (until() ? work(...args) : failWith(code)());
      };
      return {
        ...systemDisk,
        link: failWith('EPERM'),
        rename: locks(systemDisk.rename),
        unlink: locks(systemDisk.unlink),
      };
    }

    /** Time that passes as soon as somebody waits for it. */
    function startTime() {
      const time = { nowMs: 0, timers: { after, elapsedMs: () => time.nowMs } };
      function after(delayMs: number, callback: () => void): () => void {
        time.nowMs += delayMs;
        setImmediate(callback);
        return () => undefined;
      }
      return time;
    }

    it('waits 20 s for its name', async () => {
      const time = startTime();
      const disk = locked(() => time.nowMs > 20_000);
      const done = publishPart(at('a.part'), at('a.tif'), { disk, isWindows: true, timers: time.timers });
      expect(await done).toBe(true);
      expect(readdirSync(folder)).toEqual(['a.tif']);
    });

    it('gives up after a minute, says why, and goes on another time', async () => {
      const time = startTime();
      let isFree = false;
      const options = { disk: locked(() => isFree), isWindows: true, timers: time.timers };
      const outcome = publishPart(at('a.part'), at('a.tif'), options).catch((thrown: unknown) => thrown);
      expect(await outcome).toMatchObject({ code: 'transfer.file-locked', retryable: true });
      expect(readdirSync(folder)).toEqual(['a.part']);
      isFree = true;
      expect(await publishPart(at('a.part'), at('a.tif'), options)).toBe(true);
    });

    it('leaves the old name until it can go, with the new one there already', async () => {
      const time = startTime();
      let isFree = false;
      const disk = { ...locked(() => isFree), link: systemDisk.link };
      const options = { disk, isWindows: true, timers: time.timers };
      const outcome = publishPart(at('a.part'), at('a.tif'), options).catch((thrown: unknown) => thrown);
      expect(await outcome).toMatchObject({ code: 'transfer.file-locked' });
      expect(readdirSync(folder)).toEqual(['a.part', 'a.tif']);
      isFree = true;
      await deleteFile(at('a.part'), options);
      expect(readdirSync(folder)).toEqual(['a.tif']);
    });
  },
);

describe('where a folder is not to be written to, publishPart', () => {
  it.each(['EACCES', 'EROFS'])('says so at once for %s', async (code) => {
    const disk: Disk = { ...systemDisk, link: failWith(code), rename: failWith(code) };
    await expect(publishPart(at('a.part'), at('a.tif'), { disk, isWindows: false })).rejects.toMatchObject({
      code: 'transfer.destination-not-writable',
    });
  });
});

describe('deleteFile', () => {
  it('is content with a file that is gone, and leaves other names of it', async () => {
    linkSync(at('a.part'), at('b'));
    await deleteFile(at('a.part'));
    await deleteFile(at('a.part'));
    expect(readdirSync(folder)).toEqual(['b']);
  });
});
