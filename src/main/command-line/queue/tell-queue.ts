import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toAppError, type ErrorData } from '#shared/errors/app-error.ts';
import { maxToldFindings, type FileFinding } from '#shared/transfer/file-finding.ts';
import { findUserFolders } from '../../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { findUnnamedFiles, type UnnamedFile } from './find-unnamed-files.ts';
import { iterate } from './iterate.ts';
import { withQueue, type OpenedQueue } from './open-queue.ts';
import { readQueue } from './read-queue.ts';

/** What was found of the files of a folder. */
export interface FolderFindings {
  /** The folder that was looked through. */
  root: string;
  findings: readonly FileFinding[];
  /** The files that receipts tell of, below the folder. */
  named: ReadonlySet<string>;
}

/** A file that only the queue knows of, and whether it is what it was. */
export type CheckedFile = UnnamedFile & { result: 'ok' | 'changed' | 'missing' | 'unreadable' };

/** What the queue had to say to what was found. */
export interface Told {
  /** Missing and changed files that it has brought, and now brings again when it is asked to. */
  spoiltCount: number;
  /** Files that only the queue knows of, read again where they are there; what is wrong is among `spoiltCount`. */
  unnamed: readonly CheckedFile[];
  /** Why it could not be told; null where it was, or where there is none. */
  error: ErrorData | null;
}

/**
 * Tells the queue of the data folder, where there is one, what was found of files, and which others of its own in that
 * folder are missing or changed. That it can't be told is no fault of what was found.
 * @throws AppError `cancelled`
 */
export async function tellQueue(
  { root, findings, named }: FolderFindings,
  options: GlobalOptions,
  context: CommandContext,
): Promise<Told> {
  const told: Told = { spoiltCount: 0, unnamed: [], error: null };
  const { dataDir } = findUserFolders(options);
  if (!existsSync(join(dataDir, 'downloads.sqlite'))) return told;
  try {
    await withQueue(options, context, {
      work: async ({ queue }) => {
        const found = await findUnnamedFiles(root, named, await readQueue(queue, context));
        const unnamed = await check(queue, found, context.signal);
        const missing = unnamed.filter(({ isGone }) => isGone);
        const all = [
          ...findings,
          ...missing.map(({ filePath }) => ({ path: filePath, result: 'missing' as const })),
        ];
        // Their drive isn't there.
        const unknown = new Set<string>();
        let spoiltCount = unnamed.filter(({ isGone, result }) => !isGone && isSpoilt(result)).length;
        for (let first = 0; first < all.length; first += maxToldFindings) {
          const some = all.slice(first, first + maxToldFindings);
          const noted = await queue.noteFindings({ findings: some });
          spoiltCount += noted.spoiltCount;
          for (const path of noted.unknownPaths) unknown.add(path);
        }
        told.spoiltCount = spoiltCount;
        told.unnamed = unnamed.map((file) =>
          unknown.has(file.filePath) ? { ...file, result: 'unreadable' } : file,
        );
      },
    });
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    told.error = toAppError(thrown).toData();
  }
  return told;
}

function isSpoilt(result: CheckedFile['result']): boolean {
  return result === 'changed' || result === 'missing';
}

// The queue notes what it finds.
async function check(
  queue: OpenedQueue['queue'],
  files: readonly UnnamedFile[],
  signal: AbortSignal,
): Promise<CheckedFile[]> {
  const found = new Map<number, CheckedFile['result']>();
  const transferIds = files.flatMap(({ isGone, transfer }) => (isGone ? [] : [transfer.transferId]));
  for (let first = 0; first < transferIds.length; first += maxToldFindings) {
    const some = { transferIds: transferIds.slice(first, first + maxToldFindings) };
    for await (const { results, isDone } of iterate(queue.verify, some, signal)) {
      for (const { transferId, result } of results) found.set(transferId, result);
      if (isDone) break;
    }
  }
  return files.map((file) => ({ ...file, result: found.get(file.transfer.transferId) ?? 'missing' }));
}
