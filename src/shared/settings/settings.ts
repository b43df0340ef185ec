import { z } from 'zod';
import { basemapSettingsSchema, type BasemapSettings } from '../basemap/basemap.ts';
import {
  connectionSettingsSchema,
  demoConnectionId,
  type ConnectionSettings,
} from '../connection/connection-settings.ts';
import { isJsonObject } from '../stac/json.ts';
import { defaultNetworkSettings, networkSettingsSchema } from './network-settings.ts';
import { defaultSharingSettings, sharingSettingsSchema } from './sharing-settings.ts';
import { defaultTransferLimits, transferLimitsSchema } from './transfer-limits.ts';

/** Limits of all libraries together; null for none. */
export const libraryLimitsSchema = z.object({
  sizeBytes: z.number().int().min(1_000_000).max(Number.MAX_SAFE_INTEGER).nullable(),
  /** Since an item was last fetched. */
  ageDays: z.number().int().min(1).max(36_500).nullable(),
});

/** Limits of all libraries together. */
export type LibraryLimits = z.infer<typeof libraryLimitsSchema>;

/** What a person can set. Secrets are not here: they go through the host's secret store. */
export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** Folder that downloads go to unless another is chosen; null until one was chosen. */
  destination: z.string().nullable(),
  /** Transfers at once. */
  maxConcurrentTransfers: z.number().int().min(1).max(16),
  transferLimits: transferLimitsSchema,
  /** Whether the end of an order, and what a person has to do something about, is told outside the window too. */
  isNotifying: z.boolean(),
  /** Whether nothing may go out into the network, searches and transfers included. */
  isWorkingOffline: z.boolean(),
  network: networkSettingsSchema,
  /** How other programs read the library. */
  sharing: sharingSettingsSchema,
  /** Folder of the libraries; null: with Swath's other files. */
  libraryFolder: z.string().nullable(),
  /** Beyond this the oldest items of all libraries are evicted, but for what is pinned. */
  libraryLimits: libraryLimitsSchema,
  /** Catalogs beside the demo catalog, in the order in which they were added. */
  connections: z.array(connectionSettingsSchema),
  /** The catalog in use: one of these, or the demo catalog. */
  connectionId: z.string().min(1),
  /** Columns of the table of results: names of properties, and of what the window makes itself (`@…`). */
  resultColumns: z.array(z.string().max(200)).max(100),
  /** Whether the map shows lines of longitude and latitude. */
  isGraticuleShown: z.boolean(),
  /** Whether the map shows pictures within the footprints. */
  arePicturesShown: z.boolean(),
  /** Basemaps beside the bundled one. */
  basemaps: z.array(basemapSettingsSchema).max(100),
  /** The one in use; null is the bundled one. */
  basemapId: z.string().nullable(),
});

/** The settings that the window may change; the others stay. Network, sharing, catalogs and basemaps have calls of their own. */
export const settingsChangeSchema = settingsSchema
  .omit({
    libraryFolder: true,
    libraryLimits: true,
    network: true,
    sharing: true,
    connections: true,
    connectionId: true,
    basemaps: true,
    basemapId: true,
  })
  .partial();

/** What a person can set. */
export type Settings = z.infer<typeof settingsSchema>;

/** Settings of a first start. */
export const defaultSettings: Settings = {
  theme: 'system',
  destination: null,
  maxConcurrentTransfers: 4,
  transferLimits: defaultTransferLimits,
  isNotifying: true,
  resultColumns: ['datetime', '@collection', 'eo:cloud_cover', '@coverage', 'platform', '@id'],
  isGraticuleShown: true,
  arePicturesShown: false,
  basemaps: [],
  basemapId: null,
  isWorkingOffline: false,
  network: defaultNetworkSettings,
  sharing: defaultSharingSettings,
  libraryFolder: null,
  libraryLimits: { sizeBytes: 5_000_000_000, ageDays: null },
  connections: [],
  connectionId: demoConnectionId,
};

/** Settings from a file: whatever is missing or malformed there falls back to its default, alone. */
export function readSettings(stored: unknown): Settings {
  const members = isJsonObject(stored) ? stored : {};
  const readable = Object.entries(members).filter(
    ([name, value]) =>
      Object.hasOwn(defaultSettings, name) && settingsSchema.partial().safeParse({ [name]: value }).success,
  );
  return {
    ...defaultSettings,
    ...Object.fromEntries(readable),
    connections: readConnections(members['connections']),
    basemaps: readBasemaps(members['basemaps']),
  };
}

// One that can't be read must not take the others along; of two with one id, the first is meant.
function readConnections(stored: unknown): ConnectionSettings[] {
  const found = new Map<string, ConnectionSettings>();
  for (const value of Array.isArray(stored) ? (stored as unknown[]) : []) {
    const { success, data } = connectionSettingsSchema.safeParse(value);
    if (success && data.id !== demoConnectionId && !found.has(data.id)) found.set(data.id, data);
  }
  return [...found.values()];
}

function readBasemaps(stored: unknown): BasemapSettings[] {
  return (Array.isArray(stored) ? (stored as unknown[]) : []).flatMap((value) => {
    const { success, data } = basemapSettingsSchema.safeParse(value);
    return success ? [data] : [];
  });
}
