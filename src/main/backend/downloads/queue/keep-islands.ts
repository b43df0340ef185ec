import type { Islands } from '../file/islands.ts';
import type { QueueFile } from './queue-file.ts';

/**
 * Writes down what unfinished part files have beyond their gaps, for the next process. What a crash leaves of that is no
 * danger: it is read back before it counts.
 */
export function keepIslands(
  { facts, transfers }: Pick<QueueFile, 'facts' | 'transfers'>,
  islands: Islands,
): void {
  const known = islands.list();
  if (known.length === 0 && facts.read('islands').length === 0) return;
  const wanted = new Set(transfers.rows().map(({ partPath }) => partPath));
  facts.write(
    'islands',
    known.filter(([partPath]) => wanted.has(partPath)),
  );
}
