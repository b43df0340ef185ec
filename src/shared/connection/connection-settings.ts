import { z } from 'zod';
import { linkModeSchema } from '../transfer/transfer.ts';
import { explainAddress, normalizeAddress } from './explain-address.ts';
import { s3AccessSchema } from './s3-access.ts';

/** Requests that the service allows an account at once (catalog-service.md §3). */
export const maxRequestsOfAccount = 30;

const address = z
  .string()
  .transform(normalizeAddress)
  .superRefine((text, context) => {
    const why = explainAddress(text);
    if (why !== null) context.addIssue({ code: 'custom', message: why });
  });

/** How a catalog lets its users in. The secrets themselves are elsewhere: in the host's secret store. */
export const connectionAuthSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('token') }),
  z.object({
    kind: z.literal('oauth2'),
    /** Where client credentials are exchanged for a token (RFC 6749 §4.4). */
    tokenUrl: address,
    clientId: z.string().trim().min(1, 'it is needed').max(500),
    /** How the client says who it is: in the form's body, or by HTTP Basic. */
    style: z.enum(['body', 'basic']),
  }),
]);

/** How a catalog lets its users in. */
export type ConnectionAuth = z.infer<typeof connectionAuthSchema>;

/** A catalog as a person set it up. */
export const connectionSettingsSchema = z.object({
  /** In file names and paths of the window. */
  id: z.string().regex(/^[a-z0-9]{1,40}$/),
  name: z.string().trim().min(1, 'it is needed').max(80, 'it is too long'),
  /** Of the STAC API, without a slash at its end. */
  baseUrl: address,
  auth: connectionAuthSchema,
  /** Which download links its files are fetched by. */
  links: linkModeSchema,
  /** Whether files without a link may be fetched with the user's own AWS credentials; left out: no. */
  s3Access: s3AccessSchema.optional(),
  /** Requests at once, by everything that Swath does with this catalog. */
  maxConcurrentRequests: z.number().int().min(1).max(maxRequestsOfAccount),
});

/** A catalog as a person set it up. */
export type ConnectionSettings = z.infer<typeof connectionSettingsSchema>;

/** A catalog as a person writes it down; `id` is null for a new one. */
export const connectionDraftSchema = connectionSettingsSchema.extend({
  id: connectionSettingsSchema.shape.id.nullable(),
  /** The access token or the client's secret, when it was typed; null leaves what there is. */
  secret: z.string().trim().min(1).max(20_000).nullable(),
});

/** A catalog as a person writes it down. */
export type ConnectionDraft = z.infer<typeof connectionDraftSchema>;

/** The id of the catalog that Swath brings along. */
export const demoConnectionId = 'demo';
