import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AppError, type ErrorData } from '#shared/errors/app-error.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { isNotThere, toDiskError } from '../file/disk-error.ts';
import { decodeChecksum } from '../file/multihash.ts';
import { verifyFile } from '../file/verify-file.ts';
import { findLost } from './lost-folders.ts';
import { sidecarNames } from './output-layout.ts';
import { openReceipt, type ReceiptEntry } from './receipt.ts';

/** What was found about one file of a download folder. */
export interface FileFinding {
  /** Below the folder that was looked through. */
  path: string;
  /**
   * `ok`: the very bytes that came; `unreadable`: its disk doesn't give it; `unknown`: no receipt tells of it;
   * `unfinished`: a part of a file that was not brought home yet; `no-receipt`: a receipt that is damaged or gone;
   * `folder-gone`: a folder of which no receipt tells any more what was in it.
   */
  result:
    'ok' | 'changed' | 'missing' | 'unreadable' | 'unknown' | 'unfinished' | 'no-receipt' | 'folder-gone';
  /** As its receipt has it; null without one. */
  sizeBytes: number | null;
  /** What was proved when it came. */
  verification: ReceiptEntry['verification'] | null;
  error: ErrorData | null;
}

// The folder's own: what Swath writes beside the files.
const ownNames = new Set<string>([...Object.values(sidecarNames), 'collection.json', 'catalog.json']);

/** What is to be read of a download folder. */
export interface FolderCheck {
  fileCount: number;
  totalBytes: number;
  findings(signal: AbortSignal): AsyncGenerator<FileFinding>;
}

/**
 * Looks through a folder that downloads went to. Its receipts say what should be there; neither catalog nor network is
 * needed. Links are not followed.
 * @throws AppError `transfer.destination-missing`, `transfer.disk-error`
 */
export async function checkFolder(root: string): Promise<FolderCheck> {
  // The folder itself may be a link to one, as to another disk; those in it are not followed.
  const found = await stat(root).catch(() => null);
  if (!found?.isDirectory()) {
    throw new AppError('transfer.destination-missing', `${root} is not a folder`, {
      details: { path: root },
    });
  }
  const expected: { path: string; entry: ReceiptEntry }[] = [];
  const others: string[] = [];
  const lostFolders: string[] = [];
  const noReceipts: { path: string; error: ErrorData }[] = [];
  const closed: { path: string; error: ErrorData }[] = [];
  for await (const folder of foldersBelow(root)) {
    if (folder.error !== null) {
      closed.push({ path: folder.path, error: folder.error.toData() });
      continue;
    }
    const receipt = await readReceiptOf(folder);
    if (receipt.error !== null) noReceipts.push({ path: receipt.path, error: receipt.error.toData() });
    const lost = await findLost(folder);
    lostFolders.push(...lost.folders);
    for (const path of lost.receipts) noReceipts.push({ path, error: receiptGone().toData() });
    // A receipt speaks of files beside it; a name that leads elsewhere is none of Swath's.
    const entries = receipt.entries.filter(
      ({ file }) => !/[/\\\0]/.test(file) && file !== '..' && file !== '',
    );
    const named = new Set(entries.map(({ file }) => file));
    for (const entry of entries) expected.push({ path: join(folder.path, entry.file), entry });
    for (const name of folder.names)
      if (!named.has(name) && !ownNames.has(name)) others.push(join(folder.path, name));
  }
  return {
    fileCount: expected.length,
    totalBytes: expected.reduce((sum, { entry }) => sum + entry.bytes, 0),
    async *findings(signal) {
      for (const { path, error } of noReceipts) yield toNoReceipt(relative(root, path), error);
      for (const { path, error } of closed)
        yield { ...unread, path: relative(root, path), result: 'unreadable', error };
      for (const path of lostFolders) yield { ...unread, path: relative(root, path), result: 'folder-gone' };
      for (const { path, entry } of expected) {
        yield {
          path: relative(root, path),
          ...(await judgeEntry(path, entry, { signal, disk: systemDisk })),
        };
      }
      for (const path of others) {
        const result = /\.part(\.json)?$/.test(path) ? 'unfinished' : 'unknown';
        yield { ...unread, path: relative(root, path), result };
      }
    },
  };
}

const unread = { sizeBytes: null, verification: null, error: null };

function receiptGone(): AppError {
  return new AppError('transfer.not-found', 'The receipt is gone');
}

function toNoReceipt(path: string, error: ErrorData): FileFinding {
  return { ...unread, path, result: 'no-receipt', error };
}

async function readReceiptOf({
  path: folder,
  names,
}: NamesIn): Promise<{ path: string; entries: ReceiptEntry[]; error: AppError | null }> {
  const path = join(folder, sidecarNames.receipt);
  try {
    if (names.includes(sidecarNames.receipt)) {
      const { entries, isDamaged } = await openReceipt(path);
      const error = isDamaged ? new AppError('transfer.wrong-content', 'The receipt is damaged') : null;
      return { path, entries, error };
    }
    // Swath writes the one before the other.
    const isGone = names.includes(sidecarNames.item);
    return { path, entries: [], error: isGone ? receiptGone() : null };
  } catch (thrown) {
    return { path, entries: [], error: toDiskError(thrown, path) };
  }
}

/** Whether a file is what its entry in a receipt says. @throws AppError `cancelled` */
export async function judgeEntry(
  path: string,
  { bytes, checksum, verification }: ReceiptEntry,
  { signal, disk }: { signal: AbortSignal; disk: Disk },
): Promise<Omit<FileFinding, 'path'>> {
  const known = { sizeBytes: bytes, verification };
  try {
    const { kind, sizeBytes } = await disk.lstat(path);
    if (kind !== 'file') return { ...known, result: 'missing', error: null };
    if (sizeBytes !== bytes) return { ...known, result: 'changed', error: sizeError(bytes, sizeBytes) };
    const isProvable = decodeChecksum(checksum) !== null;
    await verifyFile({
      path,
      announcedBytes: bytes,
      announcedChecksum: checksum,
      totalBytes: null,
      expected: { mediaType: null, fileName: '' },
      signal,
      disk,
    });
    if (isProvable) return { ...known, result: 'ok', error: null };
    const error = new AppError(
      'transfer.checksum-mismatch',
      'Its receipt has no checksum that can be computed',
    );
    return { ...known, result: 'unreadable', error: error.toData() };
  } catch (thrown) {
    if (isNotThere(thrown)) return { ...known, result: 'missing', error: null };
    const error = toDiskError(thrown, path);
    if (error.code === 'cancelled') throw error;
    const isOther = error.code === 'transfer.checksum-mismatch' || error.code === 'transfer.size-mismatch';
    return { ...known, result: isOther ? 'changed' : 'unreadable', error: error.toData() };
  }
}

function sizeError(expectedBytes: number, actualBytes: number): ErrorData {
  const details = { expectedBytes, actualBytes };
  return new AppError('transfer.size-mismatch', 'The file has another size than when it came', {
    details,
  }).toData();
}

/** A folder, and what is in it but folders; or why nobody can look into it. */
interface NamesIn {
  path: string;
  names: string[];
  error: AppError | null;
}

// Where ext file systems put what they have found: theirs alone, on every drive.
const systemFolders = new Set(['lost+found']);

async function* foldersBelow(root: string): AsyncGenerator<NamesIn> {
  const pending = [root];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    try {
      const entries = await readdir(path, { withFileTypes: true });
      const isFolder = (entry: Dirent) => entry.isDirectory();
      const folders = entries.filter((entry) => isFolder(entry) && !systemFolders.has(entry.name));
      for (const { name } of folders.toSorted(byName).toReversed()) pending.push(join(path, name));
      const files = entries.filter((entry) => !isFolder(entry)).toSorted(byName);
      yield { path, names: files.map(({ name }) => name), error: null };
    } catch (thrown) {
      const error = toDiskError(thrown, path);
      if (path === root) throw error;
      yield { path, names: [], error };
    }
  }
}

function byName(one: Dirent, other: Dirent): number {
  return one.name < other.name ? -1 : 1;
}
