import { z } from 'zod';

/** What was found of one file that a receipt tells of. */
export const fileFindingSchema = z.object({
  /** Absolute. */
  path: z.string().min(1),
  result: z.enum(['ok', 'missing', 'changed']),
});

/** What was found of one file that a receipt tells of. */
export type FileFinding = z.infer<typeof fileFindingSchema>;

/** The most that are told at once. */
export const maxToldFindings = 2000;
