import type { StacItem } from '#shared/stac/item.ts';
import { packText, unpackText } from '../../library/item-json.ts';

const firstOfJson = '{'.charCodeAt(0);

/** An Item as it is kept: thousands of one order are a tenth of their JSON. */
export function packSnapshot(item: StacItem): Buffer {
  return packText(JSON.stringify(item));
}

/** The Item that was packed; earlier versions kept its JSON. */
export function unpackSnapshot(packed: Buffer): StacItem {
  const json = packed[0] === firstOfJson ? packed.toString() : unpackText(packed);
  return JSON.parse(json) as StacItem;
}
