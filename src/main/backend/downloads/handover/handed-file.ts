import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import type { BucketPlace } from '../../links/s3/bucket-place.ts';
import type { Checksum } from '../file/multihash.ts';

/** A file of the queue that is not home yet. */
export interface OpenFile {
  connectionId: string;
  ref: ItemRef;
  assetKey: string;
  item: StacItem;
  destination: string;
  /** Its name, where the queue has given it one. */
  filePath: string | null;
  announcedChecksum: string | null;
}

/** How a tool comes by a file; none of these carries a permission. */
export type HandoverWay =
  /** A public address. */
  | { kind: 'public'; url: string }
  /** The catalog's proxy, which wants the token and leads to a storage that must not get it. */
  | { kind: 'proxy'; url: string }
  | { kind: 's3'; object: BucketPlace };

/** A file with its way and the path that Swath would give it. */
export interface HandedFile {
  way: HandoverWay;
  folder: string;
  /** Below the folder, with `/`. */
  path: string;
  checksum: Checksum | null;
}
