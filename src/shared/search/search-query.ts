import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { parseDatetimeInterval } from '../stac/datetime-interval.ts';
import { geometrySchema } from '../stac/geometry.ts';
import { explainIssue } from './explain-issue.ts';

const operand = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([z.string(), z.number()])).max(10_000),
]);

/** Property name → operator → operand; everything is combined with AND (catalog-service.md §4.6, Query Extension). */
export const propertyQuerySchema = z.preprocess(
  (value, context) => {
    // Zod leaves that name out without a word, and the question would be another one.
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
      context.addIssue({ code: 'custom', message: 'no property can be called __proto__' });
    return value;
  },
  z.record(z.string(), z.record(z.string(), operand)),
);

/** The Query extension's object. */
export type PropertyQuery = z.infer<typeof propertyQuerySchema>;

/** Value on the right of an operator. */
export type Operand = z.infer<typeof operand>;

const bboxNumbers = z.union([
  z.tuple([z.number(), z.number(), z.number(), z.number()]),
  z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]),
]);

/** More than any question has a use for; what is longer is a mistake or ill meant. */
const names = z.array(z.string().min(1).max(1000)).max(10_000);

/** The server may clamp a larger page (STAC API 1.0.0 item-search: 1..10000). */
export const maxLimit = 10_000;

/**
 * A question to a catalog, member for member the POST body of `/search` (catalog-service.md §4.6). Two members
 * that are not a question are elsewhere: how many items to fetch overall is `maxItems` of the call.
 */
export const searchQuerySchema = z.strictObject({
  collections: names.optional(),
  ids: names.optional(),
  /** One of the forms that `parseDatetimeInterval` reads, kept as written. */
  datetime: z.string().optional(),
  bbox: bboxNumbers.optional(),
  intersects: geometrySchema.optional(),
  /** Page size. */
  limit: z.number().int().min(1).max(maxLimit).optional(),
  query: propertyQuerySchema.optional(),
  fields: z.object({ include: names.optional(), exclude: names.optional() }).optional(),
  sortby: z
    .array(z.object({ field: z.string(), direction: z.enum(['asc', 'desc']) }))
    .max(100)
    .optional(),
});

/** A question to a catalog. */
export type SearchQuery = z.infer<typeof searchQuerySchema>;

/**
 * Reads a query from outside and checks what a schema can't: that datetime is readable, that the box has its
 * south below its north, and that bbox and intersects aren't both given (STAC API: 400).
 * @throws AppError `input.invalid` with `details.field`
 */
export function parseSearchQuery(value: unknown): SearchQuery {
  const parsed = searchQuerySchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (issue === undefined) throw invalid('query', 'it has the wrong form');
    throw invalid(fieldOf(issue), explainIssue(issue));
  }
  checkMeaning(parsed.data);
  return parsed.data;
}

/** The form of a question that was kept, or came from elsewhere: what `parseSearchQuery` would refuse is none. */
export const askableQuerySchema = searchQuerySchema.refine((query) => {
  try {
    checkMeaning(query);
    return true;
  } catch {
    return false;
  }
});

function checkMeaning({ datetime, bbox, intersects }: SearchQuery): void {
  if (datetime !== undefined) parseDatetimeInterval(datetime);
  if (bbox) checkBbox(bbox);
  if (bbox && intersects) throw invalid('intersects', 'give bbox or intersects, not both');
}

function fieldOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return issue.keys[0] ?? 'query';
  return issue.path.length > 0 ? issue.path.join('.') : 'query';
}

function checkBbox(bbox: readonly number[]): void {
  const [south, north] = bbox.length === 4 ? [bbox[1], bbox[3]] : [bbox[1], bbox[4]];
  if (south !== undefined && north !== undefined && south > north) {
    throw invalid('bbox', 'its south is above its north; the order is west, south, east, north');
  }
}

function invalid(field: string, why: string): AppError {
  return new AppError('input.invalid', `${field}: ${why}`, { details: { field, why } });
}
