import { z } from 'zod';

/** What is applied here to an answer, because the service can't be asked for items whose value is missing. */
export const localFilterSchema = z.object({
  /** Per cent. Items with this much cloud or more are left out; items of unknown cloud cover stay. */
  cloudCoverBelow: z.number().min(0),
});

/** What is applied here to an answer. */
export type LocalFilter = z.infer<typeof localFilterSchema>;

/** Whether an item of this cloud cover (per cent, null when unknown) stays. */
export function passesLocalFilter(cloudCover: number | null, filter: LocalFilter | null): boolean {
  return filter === null || cloudCover === null || cloudCover < filter.cloudCoverBelow;
}
