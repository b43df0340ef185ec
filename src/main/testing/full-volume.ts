import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Mounts a small volume for one test; null where that can't be done: only root can, on Linux, and not everywhere. */
export function mountVolume(): string | null {
  if (process.platform !== 'linux') return null;
  const folder = mkdtempSync(join(tmpdir(), 'swath-volume-'));
  onTestFinished(() => rmdirSync(folder));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'swath-test', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

/** Leaves no room on a volume, or very little; gives the file that takes it up. */
export function fillVolume(folder: string, leftBytes = 0): string {
  const file = join(folder, 'filling');
  writeFileSync(file, '');
  for (;;) {
    const { bavail, bsize } = statfsSync(folder);
    const takenBytes = bavail * bsize - leftBytes;
    if (takenBytes <= 0) return file;
    writeFileSync(file, Buffer.alloc(takenBytes), { flag: 'a' });
  }
}
