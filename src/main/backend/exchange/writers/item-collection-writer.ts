import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { OutputFile } from '../output-file.ts';
import type { ItemWriter, WritePlan } from './item-writer.ts';
import { toTimeStamp } from './time-stamp.ts';

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

function withCollection({ ref, item }: IdentifiedItem): IdentifiedItem['item'] {
  return typeof item['collection'] === 'string' ? item : { ...item, collection: ref.collectionId };
}
