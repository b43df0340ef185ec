import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { OutputFile } from '../output-file.ts';
import type { ItemWriter, WritePlan } from './item-writer.ts';

/**
 * A STAC ItemCollection: a GeoJSON FeatureCollection of whole Items, each as the catalog gave it. One that names no
 * collection is given the one that it was found in, because a file has no other place for that.
 */
export function createItemCollectionWriter(file: OutputFile, { asOf }: WritePlan): ItemWriter {
  let separator = '\n';
  const begun = file.write('{"type":"FeatureCollection","features":[');
  return {
    async add(items) {
      await begun;
      for (const one of items) {
        await file.write(`${separator}${JSON.stringify(withCollection(one))}`);
        separator = ',\n';
      }
    },
    async finish() {
      await begun;
      await file.write(`\n]${toTimeStamp(asOf())}}\n`);
    },
  };
}

/** The member that says as of when a FeatureCollection is: after its features, as nobody knows it before. */
export function toTimeStamp(asOf: string | null): string {
  return asOf === null ? '' : `,"timeStamp":${JSON.stringify(asOf)}`;
}

function withCollection({ ref, item }: IdentifiedItem): IdentifiedItem['item'] {
  return typeof item['collection'] === 'string' ? item : { ...item, collection: ref.collectionId };
}
