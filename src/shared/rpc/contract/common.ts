import { z } from 'zod';

/** Codes that any question to a catalog may end with. */
export const catalogErrors = [
  'network.offline',
  'network.timeout',
  'network.tls',
  'network.proxy',
  'network.switched-off',
  'http.unexpected-status',
  'http.too-many-requests',
  'http.body-too-large',
  'auth.required',
  'auth.forbidden',
  'auth.client-refused',
  'auth.secret-missing',
  'stac.not-an-api',
  'stac.invalid-response',
] as const;

/** Input or output without members. */
export const nothing = z.object({});

/** Names one Item. */
export const itemRef = z.object({ collectionId: z.string().min(1), itemId: z.string().min(1) });

/** Characters of a path; Windows takes no more. */
export const maxPathLength = 32_767;
