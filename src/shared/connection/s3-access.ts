import { z } from 'zod';

/**
 * Whether files in cloud storage that the catalog has no link for may be fetched with the user's own AWS credentials:
 * `off`; `credentials`: yes, where that costs the account nothing; `requester-pays`: also where the account pays for it.
 */
export const s3AccessSchema = z.enum(['off', 'credentials', 'requester-pays']);

/** Whether the user's own AWS credentials may be used. */
export type S3Access = z.infer<typeof s3AccessSchema>;
