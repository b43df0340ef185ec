import { hash } from 'node:crypto';
import type { StacItem } from '#shared/stac/item.ts';
import { mayHoldSignedUrl } from '#shared/stac/signed-url.ts';
import { withoutSignedLinks } from '#shared/stac/without-signed-links.ts';

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
