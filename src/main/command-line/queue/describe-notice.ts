import type { QueueStatus } from '#shared/transfer/queue-status.ts';
import { iterate } from './iterate.ts';
import type { OpenedQueue } from './open-queue.ts';
import { sayCount } from './words.ts';

/** What happened to the queue's file, in a sentence; null when nothing did, or somebody has read it in the window. */
export function describeNotice({ notice }: Pick<QueueStatus, 'notice'>): string | null {
  if (notice === null) return null;
  const { at, asidePath, backupAt, adoptedCount } = notice;
  const state =
    backupAt === null
      ? 'There was no copy of it: what was in it is lost'
      : `It is as it was at ${backupAt}: what came after that is lost`;
  const parts =
    adoptedCount === 0 ? '' : ` ${sayCount(adoptedCount, 'part file')} found in the folders will go on.`;
  const aside = asidePath === null ? 'The file itself was gone' : `The damaged file is kept as ${asidePath}`;
  return `the download queue was damaged, and was built anew at ${at}. ${state}.${parts} Look through the list, and order again what is missing. ${aside}. swath queue dismiss ends this notice`;
}

/** The same of a queue that is not read otherwise. @throws AppError `cancelled` */
export async function readNotice(queue: OpenedQueue['queue'], signal: AbortSignal): Promise<string | null> {
  for await (const changes of iterate(queue.watch, {}, signal)) return describeNotice(changes.queue);
  return null;
}
