import { AppError } from '#shared/errors/app-error.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { isSignedUrl } from '#shared/stac/signed-url.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';
import { OutputFile, type FileOrder } from './output-file.ts';
import { createCsvWriter } from './writers/csv-writer.ts';
import { createGeojsonWriter } from './writers/geojson-writer.ts';
import { createGeoparquetWriter } from './writers/geoparquet-writer.ts';
import { createItemCollectionWriter } from './writers/item-collection-writer.ts';
import type { ItemWriter, WritePlan } from './writers/item-writer.ts';

/** What a file is to be. */
export interface WriteOrder extends WritePlan, FileOrder {}

/** What was written. */
export interface WrittenFile {
  path: string;
  itemCount: number;
  sizeBytes: number;
}

/**
 * Writes items into a file, which has its name only once it is whole. Signed links stay behind.
 * @throws AppError `exchange.file-exists`, `exchange.nothing`, `exchange.too-large`, `transfer.*`
 */
export async function writeItems(
  batches: AsyncIterable<readonly IdentifiedItem[]>,
  order: WriteOrder,
  onWritten: (itemCount: number) => void = () => undefined,
): Promise<WrittenFile> {
  const file = await OutputFile.begin(order);
  let writer: ItemWriter | null = null;
  let itemCount = 0;
  try {
    writer = await createWriter(file, order);
    for await (const items of batches) {
      await writer.add(items.map(clean));
      itemCount += items.length;
    }
    if (itemCount === 0) throw new AppError('exchange.nothing', 'There are no items to write');
    await writer.finish(onWritten);
    await file.publish(order);
  } catch (thrown) {
    await file.discard();
    throw thrown;
  } finally {
    await writer?.close?.();
  }
  return { path: order.path, itemCount, sizeBytes: file.sizeBytes };
}

// What the library has is clean already; an answer of the catalog that goes straight into a file may not be.
function clean(one: IdentifiedItem): IdentifiedItem {
  return holdsSignedUrl(one.item) ? { ...one, item: withoutSignedLinks(one.item) } : one;
}

function holdsSignedUrl(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('?') && isSignedUrl(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsSignedUrl);
}

function createWriter(file: OutputFile, plan: WritePlan): ItemWriter | Promise<ItemWriter> {
  switch (plan.format) {
    case 'geojson':
      return createGeojsonWriter(file, plan);
    case 'stac':
      return createItemCollectionWriter(file, plan);
    case 'csv':
      return createCsvWriter(file, plan);
    case 'geoparquet':
      return createGeoparquetWriter(file, plan);
  }
}
