import { rm } from 'node:fs/promises';
import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { nameFile } from './exchange-error.ts';
import { ExchangeThread } from './exchange-thread.ts';
import type { FileFacts } from './readers/item-reader.ts';

/** A file that a person gave. */
export interface GivenFile {
  path: string;
  /** What the person knows it by. */
  name: string;
  /** Where its items may lie meanwhile. */
  spoolPath: string;
}

/** How an import is followed. */
export interface ImportOptions {
  /** The collection of items that name none. */
  collectionId: string;
  /** Items that were read and checked so far. */
  onChecked: (itemCount: number) => void;
  /** Given all items, batch by batch, and what the file says of itself, once the whole file was found good. */
  onItems: (items: readonly IdentifiedItem[], facts: FileFacts) => Promise<void>;
  signal: AbortSignal;
}

/**
 * Reads the items of a file beside the event loop. A file that is refused has given none.
 * @throws AppError `exchange.unreadable`, `exchange.too-large`, both naming the file; `transfer.*`, `cancelled`
 */
export async function importFile(file: GivenFile, options: ImportOptions): Promise<FileFacts> {
  const { path, spoolPath } = file;
  const { collectionId, onChecked, onItems, signal } = options;
  const job = { kind: 'read', path, spoolPath, collectionId } as const;
  const thread = new ExchangeThread({ job, onCount: onChecked, signal });
  try {
    for (;;) {
      const reply = await thread.ask('more');
      if (typeof reply === 'object' && 'read' in reply) return reply.read;
      if (typeof reply !== 'object' || !('items' in reply)) throw new AppError('internal', 'No items came');
      await onItems(reply.items, reply.facts);
    }
  } catch (thrown) {
    throw nameFile(toAppError(thrown), file.name);
  } finally {
    await thread.close();
    await rm(spoolPath, { force: true });
  }
}
