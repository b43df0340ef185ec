import { basename, dirname, join } from 'node:path';
import type { Disk } from '../file/disk.ts';
import { sidecarNames } from './output-layout.ts';
import { readReceipt, type ReceiptEntry } from './receipt.ts';
import { judgeEntry } from './verify-folder.ts';

/**
 * What a receipt says of older files of the same source that are missing or changed: a file that came anew beside an old
 * name takes their place, and the receipt then speaks of it alone. Reads the older files, so that it may take long.
 * Throws the file system's errors. @throws AppError `cancelled`
 */
export async function findReplaced(
  { filePath, entry }: { filePath: string; entry: ReceiptEntry },
  { disk, signal }: { disk?: Disk | undefined; signal: AbortSignal },
): Promise<ReceiptEntry[]> {
  const folder = dirname(filePath);
  const replaced: ReceiptEntry[] = [];
  for (const old of await readReceipt(join(folder, sidecarNames.receipt), disk)) {
    const isOther = old.asset === entry.asset && old.source === entry.source && old.file !== entry.file;
    if (!isOther) continue;
    const { result } = await judgeEntry(join(folder, basename(old.file)), old, signal);
    if (result === 'missing' || result === 'changed') replaced.push(old);
  }
  return replaced;
}
