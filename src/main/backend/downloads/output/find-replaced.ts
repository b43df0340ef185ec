import { basename, dirname, join } from 'node:path';
import { isAppError } from '#shared/errors/app-error.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { sidecarNames } from './output-layout.ts';
import { readReceipt, type ReceiptEntry } from './receipt.ts';
import { judgeEntry } from './verify-folder.ts';

/** A file that has got its name, and what ends the wait for what it may replace. */
export interface NewFile {
  filePath: string;
  entry: ReceiptEntry;
  signal?: AbortSignal;
}

/**
 * What a receipt says of older files that are missing or changed, and of which new files of their folder have the source: a
 * file that came anew beside an old name takes its place, and the receipt then speaks of it alone. Reads the older files, so
 * that it may take long; nothing is replaced by a file whose signal ends that. Throws the file system's errors.
 */
export async function findReplaced(
  files: readonly NewFile[],
  disk: Disk = systemDisk,
): Promise<ReceiptEntry[]> {
  const replaced: ReceiptEntry[] = [];
  const [first] = files;
  if (first === undefined) return replaced;
  const folder = dirname(first.filePath);
  for (const old of await readReceipt(join(folder, sidecarNames.receipt), disk)) {
    const file = files.find(({ entry }) => isOlder(old, entry));
    const path = join(folder, basename(old.file));
    if (file !== undefined && (await isSpoilt(path, old, { disk, signal: file.signal }))) replaced.push(old);
  }
  return replaced;
}

function isOlder(old: ReceiptEntry, entry: ReceiptEntry): boolean {
  return old.asset === entry.asset && old.source === entry.source && old.file !== entry.file;
}

async function isSpoilt(
  path: string,
  old: ReceiptEntry,
  { disk, signal = new AbortController().signal }: { disk: Disk; signal: AbortSignal | undefined },
): Promise<boolean> {
  try {
    const { result } = await judgeEntry(path, old, { disk, signal });
    return result === 'missing' || result === 'changed';
  } catch (error) {
    if (isAppError(error, 'cancelled')) return false;
    throw error;
  }
}
