import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const addressSchema = z.object({ socketPath: z.string().min(1), token: z.string().min(1) });

/** Where the program that has the data folder takes commands, and what they have to say first. */
export type OwnerAddress = z.infer<typeof addressSchema>;

const isWindows = process.platform === 'win32';

/** The folder of the data folder that only this user may look into. */
export function makeOwnerFolder(dataDir: string): string {
  const folder = findOwnerFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isWindows) chmodSync(folder, 0o700);
  return folder;
}

/** Tells commands where the program is. In one step: they read the old address or the new one. */
export function writeOwnerAddress(dataDir: string, address: OwnerAddress): void {
  const file = findFile(dataDir);
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, JSON.stringify(address), { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** Where a program takes commands, or did before it was killed; null where none does. */
export function readOwnerAddress(dataDir: string): OwnerAddress | null {
  try {
    const address = addressSchema.parse(JSON.parse(readFileSync(findFile(dataDir), 'utf8')));
    return isWindows || isOurs(dirname(address.socketPath)) ? address : null;
  } catch {
    return null;
  }
}

/** The program takes no more commands. */
export function removeOwnerAddress(dataDir: string): void {
  rmSync(findFile(dataDir), { force: true });
}

function findOwnerFolder(dataDir: string): string {
  return join(dataDir, 'owner');
}

function findFile(dataDir: string): string {
  return join(findOwnerFolder(dataDir), 'address.json');
}

// Somebody else may have taken the place of a folder that is gone, and would be told the token.
function isOurs(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}
