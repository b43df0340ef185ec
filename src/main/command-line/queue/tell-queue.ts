import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toAppError, type ErrorData } from '#shared/errors/app-error.ts';
import { maxToldFindings, type FileFinding } from '#shared/transfer/file-finding.ts';
import { findUserFolders } from '../../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { findLostFiles, type LostFile } from './find-lost-files.ts';
import { withQueue } from './open-queue.ts';
import { readQueue } from './read-queue.ts';

/** What was found of the files of a folder. */
export interface FolderFindings {
  /** The folder that was looked through. */
  root: string;
  findings: readonly FileFinding[];
  /** The files that receipts tell of, below the folder. */
  named: ReadonlySet<string>;
}

/** What the queue had to say to what was found. */
export interface Told {
  /** Missing and changed files that it has brought, and now brings again when it is asked to. */
  spoiltCount: number;
  /** Files that only the queue knows of, and that are missing; they are among those of `spoiltCount`. */
  lost: readonly LostFile[];
  /** Why it could not be told; null where it was, or where there is none. */
  error: ErrorData | null;
}

/**
 * Tells the queue of the data folder, where there is one, what was found of files, and which others of its own in that
 * folder are missing. That it can't be told is no fault of what was found.
 * @throws AppError `cancelled`
 */
export async function tellQueue(
  { root, findings, named }: FolderFindings,
  options: GlobalOptions,
  context: CommandContext,
): Promise<Told> {
  const told: Told = { spoiltCount: 0, lost: [], error: null };
  const { dataDir } = findUserFolders(options);
  if (!existsSync(join(dataDir, 'downloads.sqlite'))) return told;
  try {
    await withQueue(options, context, {
      work: async ({ queue }) => {
        const lost = await findLostFiles(root, named, await readQueue(queue, context));
        const all = [
          ...findings,
          ...lost.map(({ filePath }) => ({ path: filePath, result: 'missing' as const })),
        ];
        let spoiltCount = 0;
        for (let first = 0; first < all.length; first += maxToldFindings) {
          const some = all.slice(first, first + maxToldFindings);
          spoiltCount += (await queue.noteFindings({ findings: some })).spoiltCount;
        }
        told.spoiltCount = spoiltCount;
        told.lost = lost;
      },
    });
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    told.error = toAppError(thrown).toData();
  }
  return told;
}
