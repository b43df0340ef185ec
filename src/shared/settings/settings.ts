import { z } from 'zod';
import { isJsonObject } from '../stac/json.ts';
import { linkModeSchema } from '../transfer/transfer.ts';

/** What a person can set. Secrets are not here: they go through the host's secret store. */
export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** Folder that downloads go to unless another is chosen; null until one was chosen. */
  destination: z.string().nullable(),
  linkMode: linkModeSchema,
  /** Requests to the catalog at once; the service allows 30 per account (field notes §1.10), shared with other programs. */
  maxConcurrentRequests: z.number().int().min(1).max(30),
  /** Transfers at once. */
  maxConcurrentTransfers: z.number().int().min(1).max(16),
});

/** The settings to change; the others stay. */
export const settingsChangeSchema = settingsSchema.partial();

/** What a person can set. */
export type Settings = z.infer<typeof settingsSchema>;

/** Settings of a first start. */
export const defaultSettings: Settings = {
  theme: 'system',
  destination: null,
  linkMode: 'auto',
  maxConcurrentRequests: 8,
  maxConcurrentTransfers: 4,
};

/** Settings from a file: whatever is missing or malformed there falls back to its default, alone. */
export function readSettings(stored: unknown): Settings {
  const members = isJsonObject(stored) ? stored : {};
  const readable = Object.entries(members).filter(
    ([name, value]) => settingsChangeSchema.safeParse({ [name]: value }).success && name in defaultSettings,
  );
  return { ...defaultSettings, ...Object.fromEntries(readable) };
}
