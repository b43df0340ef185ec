import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toAppError, type ErrorData } from '#shared/errors/app-error.ts';
import { maxToldFindings, type FileFinding } from '#shared/transfer/file-finding.ts';
import { findUserFolders } from '../../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { withQueue } from './open-queue.ts';

/** What the queue had to say to what was found. */
export interface Told {
  /** Missing and changed files that it has brought, and now brings again when it is asked to. */
  spoiltCount: number;
  /** Why it could not be told; null where it was, or where there is none. */
  error: ErrorData | null;
}

/**
 * Tells the queue of the data folder, where there is one, what was found of files. That it can't be told is no fault of
 * what was found.
 * @throws AppError `cancelled`
 */
export async function tellQueue(
  findings: readonly FileFinding[],
  options: GlobalOptions,
  context: CommandContext,
): Promise<Told> {
  const told: Told = { spoiltCount: 0, error: null };
  const { dataDir } = findUserFolders(options);
  if (findings.length === 0 || !existsSync(join(dataDir, 'downloads.sqlite'))) return told;
  try {
    await withQueue(options, context, {
      work: async ({ queue }) => {
        let spoiltCount = 0;
        for (let first = 0; first < findings.length; first += maxToldFindings) {
          const some = findings.slice(first, first + maxToldFindings);
          spoiltCount += (await queue.noteFindings({ findings: some })).spoiltCount;
        }
        told.spoiltCount = spoiltCount;
      },
    });
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    told.error = toAppError(thrown).toData();
  }
  return told;
}
