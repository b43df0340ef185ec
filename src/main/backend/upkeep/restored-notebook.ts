import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { removeFile } from '../library/upkeep/back-up.ts';
import { setAside } from '../library/upkeep/set-aside.ts';
import { openNotebook } from '../notebook/notebook.ts';

/** Where a notebook of a backup waits for the next start: the present one is open, by this program and maybe others. */
export function toWaitingPath(dataDir: string): string {
  return join(dataDir, 'notebook.restored.sqlite');
}

/**
 * Opens a copy of a backup's notebook once, and brings it up to date.
 * @throws AppError `library.newer-schema`, `library.corrupt`
 */
export function proveNotebook(path: string): void {
  openNotebook({ filePath: path }).close();
}

/** Takes up a notebook that waits, before it is opened; the one until now is put aside. Killed between, it goes on. */
export function takeUpNotebook(dataDir: string, nowMs: number): void {
  const waiting = toWaitingPath(dataDir);
  if (!existsSync(waiting)) return;
  const filePath = join(dataDir, 'notebook.sqlite');
  try {
    if (existsSync(filePath)) setAside(filePath, { state: 'replaced', nowMs });
  } catch {
    // A command has it open, where the system lets nobody rename an open file: it goes on waiting.
    return;
  }
  removeFile(filePath);
  renameSync(waiting, filePath);
}
