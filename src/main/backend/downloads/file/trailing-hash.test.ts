import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemDisk, type Disk } from './disk.ts';
import { createHashPool, type HashPool } from './hash-pool.ts';
import { startTrailingHash, type TrailingHash } from './trailing-hash.ts';

const mebibyte = 1024 * 1024;
const bytes = Buffer.from(
  Array.from({ length: 5 * mebibyte + 77 }, (_, index) => (index * 31 + (index >> 9)) & 255),
);
const sha256 = (of: Buffer) => createHash('sha256').update(of).digest('hex');

let folder: string;
let path: string;
let pool: HashPool;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'swath-hash-'));
  path = join(folder, 'x.part');
  writeFileSync(path, '');
  pool = createHashPool(1);
});

afterEach(async () => {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(disk = systemDisk): TrailingHash {
  return startTrailingHash({
    disk,
    hashes: pool,
    path,
    algorithms: ['sha256', 'md5'],
    chunkBytes: 2 * mebibyte,
    hasCrcs: true,
  });
}

describe('startTrailingHash', () => {
  it('reads behind the writer, and hardly anything at the end', async () => {
    let readBytes = 0;
    const hash = start({
      ...systemDisk,
      open: async (at, mode) => {
        const file = await systemDisk.open(at, mode);
        return {
          ...file,
          read: async (into, position) => {
            const count = await file.read(into, position);
            readBytes += count;
            return count;
          },
        };
      },
    });
    for (let at = 0; at < bytes.length; at += 700_000) {
      appendFileSync(path, bytes.subarray(at, at + 700_000));
      hash.reach(Math.min(at + 700_000, bytes.length));
    }
    await expect.poll(() => readBytes).toBeGreaterThanOrEqual(4 * mebibyte);
    const facts = await hash.finish();
    expect(facts.sizeBytes).toBe(bytes.length);
    expect(facts.digests['sha256']).toBe(sha256(bytes));
    expect(facts.digests['md5']).toBe(createHash('md5').update(bytes).digest('hex'));
    expect(facts.head.equals(bytes.subarray(0, 512))).toBe(true);
    expect(facts.crcs).toEqual(
      [0, 1, 2].map((index) => crc32(bytes.subarray(index * 2 * mebibyte, (index + 1) * 2 * mebibyte))),
    );
    expect(readBytes).toBe(bytes.length);
  });

  it('begins again when the file is cut back', async () => {
    const hash = start();
    writeFileSync(path, Buffer.alloc(3 * mebibyte));
    hash.reach(3 * mebibyte);
    hash.cut(mebibyte);
    truncateSync(path, 0);
    writeFileSync(path, bytes);
    hash.reach(bytes.length);
    expect((await hash.finish()).digests['sha256']).toBe(sha256(bytes));
  });

  describe('what is offered as it is given to the disk', () => {
    /** In memory that the thread sees too. */
    function shared(from: number, to: number): Uint8Array[] {
      const memory = Buffer.from(new SharedArrayBuffer(to - from));
      bytes.copy(memory, 0, from, to);
      return [memory.subarray(0, 1000), memory.subarray(1000)];
    }

    function countReads(): { disk: Disk; read: () => number } {
      let readBytes = 0;
      const disk: Disk = {
        ...systemDisk,
        open: async (at, mode) => {
          const file = await systemDisk.open(at, mode);
          const read = async (into: Uint8Array, position: number) => {
            const count = await file.read(into, position);
            readBytes += count;
            return count;
          };
          return { ...file, read };
        },
      };
      return { disk, read: () => readBytes };
    }

    it('is not read back', async () => {
      const { disk, read } = countReads();
      const hash = start(disk);
      for (let at = 0; at < bytes.length; at += 700_000) {
        const end = Math.min(at + 700_000, bytes.length);
        const taken = hash.take(at, shared(at, end));
        expect(taken).not.toBeNull();
        appendFileSync(path, bytes.subarray(at, end));
        hash.reach(end);
        await taken;
      }
      const facts = await hash.finish();
      expect(facts.digests['sha256']).toBe(sha256(bytes));
      expect(facts.head.equals(bytes.subarray(0, 512))).toBe(true);
      expect(read()).toBe(0);
    });

    it('waits until what is before it was read, and is hashed once', async () => {
      const { disk, read } = countReads();
      const hash = start(disk);
      const [from, to] = [1_500_000, 4_000_000];
      // Given to the disk, and not there yet.
      const taken = hash.take(from, shared(from, to));
      writeFileSync(path, bytes.subarray(0, to));
      hash.reach(to);
      await taken;
      expect(read()).toBe(from);
      writeFileSync(path, bytes);
      hash.reach(bytes.length);
      expect((await hash.finish()).digests['sha256']).toBe(sha256(bytes));
      expect(read()).toBe(from + bytes.length - to);
    });

    it('is let go of, and read again, when the file is cut back', async () => {
      const hash = start();
      const taken = hash.take(0, shared(100, 3_000_100));
      writeFileSync(path, bytes);
      hash.reach(3_000_000);
      hash.cut(1000);
      await taken;
      hash.reach(bytes.length);
      expect((await hash.finish()).digests['sha256']).toBe(sha256(bytes));
    });

    it('is let go of when the file is cut back before it, and never hashed', async () => {
      const hash = start();
      writeFileSync(path, bytes.subarray(0, 2_000_000));
      const taken = hash.take(3_000_000, shared(0, 1_000_000));
      hash.reach(2_000_000);
      hash.cut(2_000_000);
      await taken;
      writeFileSync(path, bytes);
      expect(hash.take(2_000_000, shared(2_000_000, 4_000_000))).not.toBeNull();
      hash.reach(bytes.length);
      expect((await hash.finish()).digests['sha256']).toBe(sha256(bytes));
    });

    it('is let go of when the file is given up', async () => {
      const hash = start();
      const taken = hash.take(3_000_000, shared(0, 1_000_000));
      await hash.stop();
      await taken;
    });

    it('is let go of when what is before it can not be read', async () => {
      rmSync(path);
      const hash = start();
      const taken = hash.take(1_500_000, shared(1_500_000, 2_000_000));
      hash.reach(2_000_000);
      await taken;
      await expect(hash.finish()).rejects.toMatchObject({ code: 'transfer.destination-missing' });
    });

    it('is not believed once it is said to be another file', async () => {
      const hash = start();
      await hash.take(0, shared(0, bytes.length));
      writeFileSync(path, Buffer.alloc(bytes.length, 'x'));
      hash.reach(bytes.length);
      hash.cut(0);
      const facts = await hash.finish();
      expect(facts.digests['sha256']).toBe(sha256(Buffer.alloc(bytes.length, 'x')));
    });

    it('is left to be read back where other threads could not see it, or it does not follow', () => {
      const hash = start();
      expect(hash.take(0, [Buffer.from('private')])).toBeNull();
      expect(hash.take(0, shared(0, 5000))).not.toBeNull();
      expect(hash.take(0, shared(0, 5000))).toBeNull();
      expect(hash.take(200 * mebibyte, shared(0, 5000))).toBeNull();
    });
  });

  it('hashes an empty file, and several at once with one thread', async () => {
    const empty = await start().finish();
    expect(empty).toMatchObject({ sizeBytes: 0, digests: { sha256: sha256(Buffer.alloc(0)) } });
    writeFileSync(path, bytes);
    const all = await Promise.all([start().finish(), start().finish(), start().finish()]);
    for (const { digests } of all) expect(digests['sha256']).toBe(sha256(bytes));
  });

  it('says what the disk says', async () => {
    rmSync(path);
    await expect(start().finish()).rejects.toMatchObject({ code: 'transfer.destination-missing' });
  });

  it('stops', async () => {
    const hash = start();
    writeFileSync(path, bytes);
    hash.reach(bytes.length);
    await hash.stop();
    await expect(hash.finish()).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('leaves nobody waiting for what was dropped', async () => {
    const job = pool.begin({ algorithms: ['sha256'], chunkBytes: 1000, hasCrcs: true });
    const ended = job.end();
    job.drop();
    await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('fails where its thread has died, and has another one next time', async () => {
    const job = pool.begin({ algorithms: ['sha256'], chunkBytes: 1000, hasCrcs: true });
    await pool.close();
    await expect(job.end()).rejects.toMatchObject({ code: 'internal' });
    writeFileSync(path, bytes);
    expect((await start().finish()).digests['sha256']).toBe(sha256(bytes));
  });
});
