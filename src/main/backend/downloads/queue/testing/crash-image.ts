import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/** Copies the file of an open queue as a program would leave it that is killed now. Gives the copy's path. */
export function takeCrashImage(filePath: string, folder: string): string {
  const copyPath = join(mkdtempSync(join(folder, 'image-')), 'transfers.sqlite');
  for (const suffix of ['', '-wal'])
    if (existsSync(filePath + suffix)) copyFileSync(filePath + suffix, copyPath + suffix);
  return copyPath;
}
