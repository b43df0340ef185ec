import { z } from 'zod';

/** How the library is shared with other programs. The token is not here: it is in the host's secret store. */
export const sharingSettingsSchema = z.object({
  /** Whether it is on, and goes on with the next start: on this computer only. */
  isOn: z.boolean(),
  port: z.number().int().min(0).max(65_535),
  /** Who reaches it: programs on this computer, or on the network as well. */
  reach: z.enum(['computer', 'network']),
  /** Whether programs on this computer need the token; those elsewhere always do. */
  needsToken: z.boolean(),
  /** The catalog whose library it is; null for the one in use. */
  connectionId: z.string().min(1).nullable(),
});

/** How the library is shared. */
export type SharingSettings = z.infer<typeof sharingSettingsSchema>;

/** Off; a port that no common program has. */
export const defaultSharingSettings: SharingSettings = {
  isOn: false,
  port: 8426,
  reach: 'computer',
  needsToken: true,
  connectionId: null,
};
