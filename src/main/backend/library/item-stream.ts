import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { Library } from './library.ts';

/** Few, so that an Item is packed soon after it came: what lives long has to be moved about by the garbage collection. */
const itemsPerPage = 50;
/** Those that are written, as many that come next, and as many again while the log is moved into the file: the disk is waited for. */
const mostWaiting = 480;

/** A stream of Items into a library, which writes many of them together. */
export interface ItemStream {
  /** Takes one more. Wait for the promise, if there is one, before putting the next. @throws AppError as `Library.saveItems` */
  put(item: IdentifiedItem): Promise<void> | null;
  /** Resolves when all of them are written. @throws AppError as `Library.saveItems` */
  end(): Promise<void>;
}

/** Begins a stream. */
export function createItemStream(library: Pick<Library, 'saveItems'>, fetchedAtMs: number): ItemStream {
  const waiting: Promise<void>[] = [];
  let page: IdentifiedItem[] = [];

  function save(): void {
    const saved = library.saveItems(page, fetchedAtMs);
    // It is waited for later, unless another one failed before.
    saved.catch(() => undefined);
    waiting.push(saved);
    page = [];
  }

  return {
    put(item) {
      page.push(item);
      if (page.length < itemsPerPage) return null;
      save();
      return waiting.length < mostWaiting ? null : (waiting.shift() ?? null);
    },
    async end() {
      save();
      await Promise.all(waiting);
    },
  };
}
