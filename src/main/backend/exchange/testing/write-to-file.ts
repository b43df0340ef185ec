import type { ExportFormat, ExportOptions } from '#shared/exchange/export-format.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { toTemporaryPath } from '../output-file.ts';
import { writeItems } from '../write-items.ts';

/** Writes Items into a file as an export does that asks for nothing in particular. */
export async function writeToFile(
  items: readonly IdentifiedItem[],
  { path, format, ...options }: { path: string; format: ExportFormat } & Partial<ExportOptions>,
): Promise<void> {
  // eslint-disable-next-line @typescript-eslint/require-await -- a source of items
  async function* batches(): AsyncGenerator<IdentifiedItem[]> {
    for (let from = 0; from < items.length; from += 4) yield items.slice(from, from + 4);
  }
  await writeItems(batches(), {
    path,
    temporaryPath: toTemporaryPath(path),
    format,
    properties: null,
    hasByteOrderMark: false,
    canReplace: false,
    asOf: () => '2026-06-01T00:00:00.000Z',
    collections: [],
    ...options,
  });
}
