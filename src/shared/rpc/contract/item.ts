import { z } from 'zod';
import { itemRowSchema } from '../../stac/item-row.ts';
import { pictureCornersSchema } from '../../stac/picture-corners.ts';
import { linkKindSchema } from '../../transfer/link-kind.ts';
import { query } from '../define-contract.ts';
import { catalogErrors, itemRef } from './common.ts';

const assetView = z.object({
  key: z.string(),
  title: z.string().nullable(),
  mediaType: z.string().nullable(),
  roles: z.array(z.string()),
  sizeBytes: z.number().int().nullable(),
  /** Whether the catalog announced a checksum that Swath can verify. */
  isVerifiable: z.boolean(),
  /** `sha256`, `md5`; null without a checksum, or with one of a kind that can't be computed here. */
  checksumKind: z.string().nullable(),
  /** Whether it can be fetched; `directory` and `unsupported-scheme` say why not. */
  availability: z.enum(['downloadable', 'directory', 'unsupported-scheme']),
});

/** An opened Item. */
const itemView = z.object({
  row: itemRowSchema,
  /** The Item as the catalog sent it, less its signed links. */
  item: z.record(z.string(), z.unknown()),
  assets: z.array(assetView),
  asOf: z.string(),
  /** The file that it came from, and when that was taken in; null for an Item that the catalog gave. */
  file: z.object({ name: z.string(), importedAt: z.string() }).nullable(),
});

const assetRef = itemRef.extend({ assetKey: z.string() });

const linkErrors = [
  ...catalogErrors,
  'stac.item-not-found',
  'stac.collection-not-found',
  'stac.asset-not-found',
  'link.none',
  'link.refused',
  'link.insecure-redirect',
] as const;

/** One Item. */
export const itemContract = {
  /** From the catalog; the library's copy where the catalog can't be reached. */
  get: query({
    input: itemRef,
    output: itemView,
    errors: [...catalogErrors, 'stac.item-not-found', 'stac.collection-not-found'],
  }),
  /** The library's copy alone, at once: what to show until the catalog answers. Null when it has none. */
  kept: query({ input: itemRef, output: itemView.nullable(), errors: [] }),
  /** Where the corners of an Item's picture lie, as far as the library knows the Item; null where nothing tells. */
  pictureCorners: query({
    input: itemRef,
    output: z.object({ corners: pictureCornersSchema.nullable() }),
    errors: [],
  }),
  /**
   * A link that is minted now and lets whoever has it fetch the file, to be copied at once: it is neither kept nor
   * logged. `direct`: the file is public, and the link is its address.
   */
  signedLink: query({
    input: assetRef,
    output: z.object({
      href: z.string(),
      kind: linkKindSchema,
      /** RFC 3339, by the storage's clock; null when it doesn't say or doesn't end. */
      expiresAt: z.string().nullable(),
      /** Seconds left by now; null with `expiresAt`. */
      leftSeconds: z.number().nullable(),
    }),
    errors: linkErrors,
  }),
  /** A link that doesn't end and is worth nothing without the access token. */
  proxyLink: query({ input: assetRef, output: z.object({ href: z.string() }), errors: linkErrors }),
};
