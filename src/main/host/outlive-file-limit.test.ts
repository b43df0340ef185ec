import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it.skipIf(process.platform === 'win32')(
  'a file that is larger than allowed is an error, and not the end',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'swath-limit-'));
    try {
      const urlOf = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
      const script = `
      import { open } from 'node:fs/promises';
      import { createConfStore } from ${urlOf('./conf-store.ts')};
      import { outliveFileLimit } from ${urlOf('./outlive-file-limit.ts')};
      createConfStore(${JSON.stringify(folder)}).read();
      outliveFileLimit();
      const file = await open(${JSON.stringify(join(folder, 'large'))}, 'w');
      await file.write(Buffer.alloc(8192), 0, 8192, 0);
      console.log(await file.write(Buffer.alloc(1), 0, 1, 8192).then(() => 'written', ({ code }) => code));`;
      const limited = 'ulimit -f 8; exec "$0" --input-type=module -e "$1"';
      const { status, stdout } = spawnSync('bash', ['-c', limited, process.execPath, script], {
        encoding: 'utf8',
      });
      expect([status, stdout.trim()]).toEqual([0, 'EFBIG']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
