import { rm } from 'node:fs/promises';
import { AppError } from '#shared/errors/app-error.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { ExchangeThread } from './exchange-thread.ts';
import { toSpoolPath, toTemporaryPath } from './output-file.ts';
import type { WrittenFile, WriteOrder } from './write-items.ts';

/** How an export is followed. */
export interface ExportOptions {
  /** Items gathered so far; then those written, where a form needs to know them all before it begins. */
  onProgress: (progress: { gatheredCount: number; writtenCount: number }) => void;
  signal: AbortSignal;
}

/**
 * Writes items into a file beside the event loop; at most one batch waits in memory. The file has its name once it is
 * whole; nothing is left of one that fails.
 * @throws AppError `exchange.file-exists`, `exchange.nothing`, `exchange.too-large`, `transfer.*`, `cancelled`
 */
export async function exportFile(
  batches: AsyncIterable<readonly IdentifiedItem[]>,
  given: Omit<WriteOrder, 'temporaryPath'>,
  { onProgress, signal }: ExportOptions,
): Promise<WrittenFile> {
  const { asOf, ...plan } = given;
  const order = { ...plan, temporaryPath: toTemporaryPath(given.path) };
  let gatheredCount = 0;
  const thread = new ExchangeThread({
    job: { kind: 'write', order },
    onCount: (writtenCount) => onProgress({ gatheredCount, writtenCount }),
    signal,
  });
  try {
    for await (const items of batches) {
      await thread.ask({ items });
      gatheredCount += items.length;
      onProgress({ gatheredCount, writtenCount: 0 });
    }
    const reply = await thread.ask({ asOf: asOf() });
    if (typeof reply === 'object' && 'written' in reply) return reply.written;
    throw new AppError('internal', 'The file was not written');
  } finally {
    await thread.close();
    // A thread that was ended may have left them.
    for (const path of [order.temporaryPath, toSpoolPath(order.temporaryPath)])
      await rm(path, { force: true });
  }
}
