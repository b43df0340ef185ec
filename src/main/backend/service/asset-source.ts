import type { AssetRef } from '../links/link.ts';

/** The bytes behind an asset, readable from anywhere. */
export interface AssetFile {
  sizeBytes: number;
  mediaType: string;
  /** Strong, with its quotes. */
  etag: string;
  lastModified: Date;
  /** Multihash in hex, as in `file:checksum`; null when it would have to be computed first. */
  checksum: string | null;
  /** Bytes from `start` to `end`, `end` excluded. */
  read(range: { start: number; end: number }): AsyncIterable<Uint8Array>;
}

/** Where the service finds the bytes that its catalog describes. */
export interface AssetSource {
  /** Null when there is no such asset. */
  open(asset: AssetRef): Promise<AssetFile | null>;
  /** Whether there is such an asset, for a source that can tell without the work of opening it. */
  has?(asset: AssetRef): boolean;
}
