import { z } from 'zod';

/** A STAC link, with the members that paging needs (STAC API 1.0.0 item-search, "Pagination"). */
export const linkSchema = z.looseObject({
  rel: z.string(),
  href: z.string(),
  // A malformed member counts as missing: a link to the next page must not be lost for a bad title.
  type: z.string().nullish().catch(null),
  title: z.string().nullish().catch(null),
  method: z.string().nullish().catch(null),
  headers: z.record(z.string(), z.unknown()).nullish().catch(null),
  // Without `optional` a link that has no body would be refused.
  body: z.unknown().optional(),
  merge: z.boolean().nullish().catch(null),
});

/** A link of an Item, a Collection or a page. */
export type Link = z.infer<typeof linkSchema>;

/** The first well-formed link of a relation; malformed links are passed over. */
export function findLink(links: unknown, rel: string): Link | null {
  if (!Array.isArray(links)) return null;
  for (const candidate of links) {
    const parsed = linkSchema.safeParse(candidate);
    if (parsed.success && parsed.data.rel === rel) return parsed.data;
  }
  return null;
}
