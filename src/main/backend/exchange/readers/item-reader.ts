import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { ExportFormat } from '#shared/exchange/export-format.ts';

/** What a reader works with. */
export interface ReadContext {
  /** The collection of items that name none. */
  collectionId: string;
  /** Filled in while the file is read. */
  facts: FileFacts;
}

/** What a file says of itself. */
export interface FileFacts {
  format: ExportFormat | null;
  /** When the catalog gave the items, RFC 3339; null when the file doesn't say. */
  asOf: string | null;
}

/** Reads the items of a file, batch by batch. @throws AppError `exchange.unreadable`, `exchange.too-large` */
export type ItemReader = (path: string, context: ReadContext) => AsyncGenerator<IdentifiedItem[]>;
