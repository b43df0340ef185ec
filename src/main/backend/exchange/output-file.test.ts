import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeFolder } from '../library/upkeep/testing/fill-library.ts';

const child = fileURLToPath(new URL('./testing/short-file-child.ts', import.meta.url));

// A shell sets the limit, 51,200 bytes; the signal that comes with it is ignored, so that a write ends early there and the
// next one fails, as on a disk that fills up.
it.skipIf(process.platform === 'win32')('gives no file its name that the disk took a part of', async () => {
  const folder = makeFolder();
  const write = async (name: string, sizeBytes: number) => {
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `trap '' XFSZ; ulimit -f 100; exec "$0" "$@"`,
      ...[process.execPath, child, join(folder, name), String(sizeBytes)],
    ]);
    return stdout.trim();
  };
  expect(await write('whole', 51_200)).toBe('published');
  expect(await write('short', 51_300)).toMatch(/^transfer\./);
  expect(readdirSync(folder)).toEqual(['whole']);
});
