import { z } from 'zod';
import { connectionAuthSchema, connectionSettingsSchema } from './connection-settings.ts';

/** Whether a catalog answers; `closed` while nothing needs it. */
export const connectionStateSchema = z.enum([
  'closed',
  'starting',
  'online',
  'offline',
  'faulty',
  'unauthorized',
  'failed',
]);

/** Where a secret is kept: encrypted by the system, in memory until the program ends, or in an environment variable. */
export const secretPlaceSchema = z.enum(['keychain', 'session', 'environment']);

/** A catalog that Swath knows, as the window sees it: no secret. */
export const connectionEntrySchema = connectionSettingsSchema.omit({ auth: true, baseUrl: true }).extend({
  kind: z.enum(['demo', 'remote']),
  /** Null for the demo catalog while it isn't served. */
  baseUrl: z.string().nullable(),
  /** Null for the demo catalog, and for one that only the command line names. */
  auth: connectionAuthSchema.nullable(),
  /** Whether it is in the settings, so that it can be changed and removed. */
  isSaved: z.boolean(),
  isCurrent: z.boolean(),
  state: connectionStateSchema,
  /** Sentence for the log; null when all is well. */
  problem: z.string().nullable(),
  /** Null when it has none. */
  secretPlace: secretPlaceSchema.nullable(),
});

/** A catalog that Swath knows, as the window sees it. */
export type ConnectionEntry = z.infer<typeof connectionEntrySchema>;

/** All catalogs, and what setting one up here means. */
export const connectionListSchema = z.object({
  connections: z.array(connectionEntrySchema),
  /** Where a secret that is typed now will be kept. */
  keeping: z.enum(['keychain', 'session']),
  /** Whether the program's environment names a service that can be taken over. */
  hasEnvironment: z.boolean(),
});

/** All catalogs, and what setting one up here means. */
export type ConnectionList = z.infer<typeof connectionListSchema>;
