import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AssetRef } from '../links/link.ts';
import type { Clock } from '../ports.ts';
import { toObjectPath } from './object-path.ts';

/** Makes unguessable bytes. */
export type Randomness = (sizeBytes: number) => Buffer;

/** What a signed URL turns out to be. */
export type LinkVerdict = 'valid' | 'unsigned' | 'malformed-expiry' | 'expired' | 'wrong-signature';

/**
 * Signs links to the object store and checks them: Signature Version 2 of S3, as the real service does
 * (field notes §1.12), with keys made anew at each start.
 */
export class LinkSigner {
  readonly #clock: Clock;
  readonly #secret: Buffer;
  readonly #accountId: string;
  readonly #userId: string;
  readonly #accessKeyId: string;
  readonly #sessionToken: string;

  constructor(clock: Clock, randomness: Randomness) {
    this.#clock = clock;
    this.#secret = randomness(32);
    this.#accountId = randomness(16).toString('base64url');
    this.#userId = randomness(16).toString('hex');
    this.#accessKeyId = randomness(10).toString('hex').toUpperCase();
    this.#sessionToken = randomness(96).toString('base64');
  }

  /** Path and query of a link valid for `ttlSeconds` from now, or null for an asset that no URL can name. */
  sign(asset: AssetRef, href: string, ttlSeconds: number): string | null {
    const path = toObjectPath(asset, href);
    if (path === null) return null;
    const expires = String(Math.floor(this.#clock.now() / 1000) + ttlSeconds);
    const query = [
      ['X-User-Account-Id', this.#accountId],
      ['X-User-Id', this.#userId],
      ['X-Collection-Id', asset.collectionId],
      ['AWSAccessKeyId', this.#accessKeyId],
      ['Signature', this.#signature(path, expires)],
      ['x-amz-security-token', this.#sessionToken],
      ['Expires', expires],
    ] as const;
    return `${path}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
  }

  /** Judges a link by its path, byte for byte as it was sent, and its query. */
  verify(path: string, query: URLSearchParams): LinkVerdict {
    const signature = query.get('Signature');
    const expires = query.get('Expires');
    if (signature === null || expires === null || query.get('AWSAccessKeyId') === null) return 'unsigned';
    if (!/^\d{1,12}$/.test(expires)) return 'malformed-expiry';
    if (Math.floor(this.#clock.now() / 1000) > Number(expires)) return 'expired';
    const isGenuine =
      query.get('AWSAccessKeyId') === this.#accessKeyId &&
      query.get('x-amz-security-token') === this.#sessionToken &&
      isEqual(signature, this.#signature(path, expires));
    return isGenuine ? 'valid' : 'wrong-signature';
  }

  // S3 signs the method too; here one link serves GET and HEAD, because clients ask for the size first.
  #signature(path: string, expires: string): string {
    const text = `GET\n\n\n${expires}\nx-amz-security-token:${this.#sessionToken}\n${path}`;
    return createHmac('sha1', this.#secret).update(text).digest('base64');
  }
}

function isEqual(presented: string, expected: string): boolean {
  const [a, b] = [Buffer.from(presented), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
