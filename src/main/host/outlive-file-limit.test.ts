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
      const script = `
      import { writeFileSync } from 'node:fs';
      import { outliveFileLimit } from ${JSON.stringify(new URL('./outlive-file-limit.ts', import.meta.url).href)};
      outliveFileLimit();
      try {
        writeFileSync(${JSON.stringify(join(folder, 'large'))}, Buffer.alloc(1_000_000));
      } catch ({ code }) {
        console.log(code);
      }`;
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
