import { hash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { IdentifiedItem, StacItem } from '#shared/stac/item.ts';
import { mayHoldSignedUrl } from '#shared/stac/signed-url.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';

/** Items hashed in one task: some 25 µs each. */
const itemsPerSlice = 200;

/**
 * A number that tells one content of an Item from another: 48 bits. Its links are not looked at, as they name the way
 * by which it came.
 */
export function hashContent({ links: _links, ...content }: StacItem): number {
  const json = JSON.stringify(content);
  const kept = mayHoldSignedUrl(json)
    ? JSON.stringify(withoutSignedLinks({ ...content, id: content['id'] }))
    : json;
  return parseInt(hash('sha1', kept, 'hex').slice(0, 12), 16);
}

/** The same of many Items, others having their turn between. */
export async function hashContents(items: readonly IdentifiedItem[]): Promise<number[]> {
  const hashes: number[] = [];
  for (const [index, { item }] of items.entries()) {
    if (index > 0 && index % itemsPerSlice === 0) await yieldToOthers();
    hashes.push(hashContent(item));
  }
  return hashes;
}
