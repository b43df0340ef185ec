import { z } from 'zod';
import { itemRowSchema } from '../../stac/item-row.ts';
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
});

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
};
