import { z } from 'zod';
import { localFilterSchema } from './local-filter.ts';
import { searchQuerySchema } from './search-query.ts';

/** A whole question: what goes to the catalog, what is applied to its answer here, and how much is wanted of it. */
export const savedQuestionSchema = z.object({
  query: searchQuerySchema,
  localFilter: localFilterSchema.nullable(),
  /** Items overall; null is all. */
  maxItems: z.number().int().min(1).nullable(),
});

/** A whole question, as it is saved. */
export type SavedQuestion = z.infer<typeof savedQuestionSchema>;

/** What a saved search may be called, without the blanks around it. */
export const savedNameSchema = z.string().trim().min(1).max(120);
