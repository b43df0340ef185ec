import { z } from 'zod';
import { catalogFactSchema } from '../../search/catalog-facts.ts';
import { query, stream } from '../define-contract.ts';
import { catalogErrors, nothing } from './common.ts';

const collectionSummary = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string().nullable(),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  interval: z.tuple([z.string().nullable(), z.string().nullable()]).nullable(),
});

const queryable = z.object({
  name: z.string(),
  type: z.enum(['number', 'boolean', 'string', 'datetime', 'any']),
  title: z.string().nullable(),
  values: z.array(z.union([z.string(), z.number()])).nullable(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
});

/** What the catalog in use describes of itself. */
export const catalogContract = {
  collections: query({
    input: nothing,
    output: z.object({ collections: z.array(collectionSummary), asOf: z.string() }),
    errors: catalogErrors,
  }),
  queryables: query({
    input: z.object({ collectionIds: z.array(z.string().min(1).max(1000)).max(10_000) }),
    output: z.object({ queryables: z.array(queryable), asOf: z.string() }),
    errors: [...catalogErrors, 'stac.collection-not-found'],
  }),
  /** What was learnt about the catalog in use from its answers; again when something was, or another is in use. */
  facts: stream({
    input: nothing,
    event: z.object({ catalogId: z.string(), facts: z.array(catalogFactSchema) }),
    errors: [],
  }),
};
