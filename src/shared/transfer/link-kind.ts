import { z } from 'zod';

/** By which kind of link a file's bytes come. */
export const linkKindSchema = z.enum(['signed', 'proxy', 'direct', 'aws']);

/** By which kind of link a file's bytes come. */
export type LinkKind = z.infer<typeof linkKindSchema>;
