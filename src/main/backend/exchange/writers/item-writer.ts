import type { ExportOptions } from '#shared/exchange/export-format.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';

/** Writes items into a file that is given to it. Both methods end with `transfer.*` when the disk doesn't take it. */
export interface ItemWriter {
  add(items: readonly IdentifiedItem[]): Promise<void>;
  /** Writes what was held back until the last item, and tells how many items that are, batch by batch. */
  finish(onWritten: (itemCount: number) => void): Promise<void>;
  /** Gives back what it holds on the disk beside the file; called however it ended. */
  close?(): Promise<void>;
}

/** How a file is to be written. */
export interface WritePlan extends ExportOptions {
  /** As of when the items are, RFC 3339; null when nobody knows. Asked once all items are there. */
  asOf: () => string | null;
  /** What is known of the items' collections. */
  collections: readonly StacCollection[];
}
