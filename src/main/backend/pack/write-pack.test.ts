import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import { makeFolder } from '../library/upkeep/testing/fill-library.ts';
import { fileEntry, writePack } from './write-pack.ts';

const isOpen = (path: string): boolean =>
  readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd)) === path;
    } catch {
      return false;
    }
  });

it.skipIf(process.platform !== 'linux')('lets go of the file that it was at when it is stopped', async () => {
  const folder = makeFolder();
  const source = join(folder, 'large.tif');
  const sizeBytes = 32 * 1024 * 1024;
  writeFileSync(source, Buffer.alloc(sizeBytes, 1));
  const abort = new AbortController();
  const written = writePack({
    path: join(folder, 'x.swathpack'),
    entries: [fileEntry('large.tif', { path: source, sizeBytes })],
    toManifest: () => ({}),
    onProgress: (writtenBytes) => {
      if (writtenBytes < 1_000_000) return;
      expect(abort.signal.aborted || isOpen(source)).toBe(true);
      abort.abort();
    },
    signal: abort.signal,
  });
  await expect(written).rejects.toMatchObject({ code: 'cancelled' });
  await eventually(() => expect(isOpen(source)).toBe(false));
  expect(readdirSync(folder)).toEqual(['large.tif']);
});
