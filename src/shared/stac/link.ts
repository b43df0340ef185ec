import { z } from 'zod';

/** A STAC link, with the members that paging needs (STAC API 1.0.0 item-search, "Pagination"). */
export const linkSchema = z.looseObject({
  rel: z.string(),
  href: z.string(),
  type: z.string().nullish(),
  title: z.string().nullish(),
  method: z.string().nullish(),
  headers: z.record(z.string(), z.unknown()).nullish(),
  body: z.unknown(),
  merge: z.boolean().nullish(),
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
