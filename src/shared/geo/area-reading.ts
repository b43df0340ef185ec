import { z } from 'zod';
import { geometrySchema } from '../stac/geometry.ts';

const degrees = z.number();

/** An area as a person gave it: a box of 4 or 6 numbers, or a geometry. */
export const givenAreaSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('box'),
    bbox: z.union([
      z.tuple([degrees, degrees, degrees, degrees]),
      z.tuple([degrees, degrees, degrees, degrees, degrees, degrees]),
    ]),
  }),
  z.object({ kind: z.literal('shape'), geometry: geometrySchema }),
]);

/** One way to understand a text or a file. */
export const areaReadingSchema = z.object({
  /** How it was understood: `51.5° N, 0.12° W`, `UTM zone 31N, …`, `KML with 3 polygons`. */
  words: z.string(),
  area: givenAreaSchema,
  /** What the source calls it; null when it has no name. */
  name: z.string().nullable(),
  /** Sentences about what had to be done: left out, joined, cut. */
  notes: z.array(z.string()),
});

/** All ways to understand it, the likeliest first. */
export const areaReadingsSchema = z.object({
  readings: z.array(areaReadingSchema).min(1),
  /** Whether the readings are equally likely, so that only a person can say. Otherwise others are an offer. */
  mustAsk: z.boolean(),
});

/** One way to understand a text or a file. */
export type AreaReading = z.infer<typeof areaReadingSchema>;

/** All ways to understand it, the likeliest first. */
export type AreaReadings = z.infer<typeof areaReadingsSchema>;
