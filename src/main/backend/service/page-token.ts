import { createHmac, timingSafeEqual } from 'node:crypto';
import { toQueryKey } from '#shared/search/query-key.ts';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { PagePosition } from '../library/library.ts';
import { badRequest } from './http-error.ts';

const macBytes = 12;

type Payload = [sortValue: string, collectionId: string, itemId: string, matched: number | null];

/** What a next link remembers. */
export interface PageMark {
  /** The last Item given. */
  position: PagePosition;
  /** The total counted for the first page: counting anew for each page would cost more than the page. */
  matched: number | null;
}

/**
 * Writes and reads the opaque `token` of next links: the position in the answer, sealed for the search
 * it belongs to. Sent with another search it would name a place in an order that isn't there.
 */
export class PageTokens {
  readonly #key: Buffer;

  /** The same secret reads the same tokens, so that next links outlive a restart. */
  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('page-token').digest();
  }

  /** The token that continues `query`. */
  write({ position, matched }: PageMark, query: SearchQuery): string {
    const { sortValue, collectionId, itemId } = position;
    // As text, because JSON has no infinity.
    const payload = Buffer.from(JSON.stringify([String(sortValue), collectionId, itemId, matched]));
    return Buffer.concat([this.#seal(payload, query), payload]).toString('base64url');
  }

  /**
   * What a token says.
   * @throws HttpError 400 for a token that this service didn't write for this query
   */
  read(token: string, query: SearchQuery): PageMark {
    const bytes = Buffer.from(token, 'base64url');
    const seal = bytes.subarray(0, macBytes);
    const payload = bytes.subarray(macBytes);
    const isGenuine =
      bytes.toString('base64url') === token.replace(/=+$/, '') &&
      seal.length === macBytes &&
      timingSafeEqual(seal, this.#seal(payload, query));
    if (!isGenuine) throw badRequest('token: not a token of this search');
    const [sortValue, collectionId, itemId, matched] = JSON.parse(payload.toString()) as Payload;
    return { position: { sortValue: Number(sortValue), collectionId, itemId }, matched };
  }

  // Page size and fields may change from page to page; everything else makes it another search.
  #seal(payload: Buffer, { fields: _fields, ...query }: SearchQuery): Buffer {
    const mac = createHmac('sha256', this.#key).update(toQueryKey(query)).update('\n').update(payload);
    return mac.digest().subarray(0, macBytes);
  }
}
