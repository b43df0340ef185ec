import { z } from 'zod';
import { maxTileZoom } from './tile-zoom.ts';

const common = { id: z.string().regex(/^[\w-]{1,64}$/), name: z.string().trim().min(1).max(120) };

/** A file of tiles, PMTiles or MBTiles, that a person chose. */
const fileBasemapSchema = z.object({ kind: z.literal('file'), ...common, path: z.string().min(1).max(4096) });

/** Raster tiles of a server that a person typed. */
const onlineBasemapSchema = z.object({
  kind: z.literal('online'),
  ...common,
  /** With `{z}`, `{x}` and `{y}`. */
  urlTemplate: z.string().min(1).max(2000),
  /** Plain text. */
  attribution: z.string().max(500),
  maxZoom: z.number().int().min(0).max(maxTileZoom),
});

/** A basemap beside the bundled one, as the settings keep it. */
export const basemapSettingsSchema = z.discriminatedUnion('kind', [fileBasemapSchema, onlineBasemapSchema]);

/** A basemap beside the bundled one, as the settings keep it. */
export type BasemapSettings = z.infer<typeof basemapSettingsSchema>;

/** What is known of a set of tiles. */
export const tileFactsSchema = z.object({
  tiles: z.enum(['raster', 'vector']),
  minZoom: z.number().int(),
  maxZoom: z.number().int(),
  /** Where there are tiles; null for the whole world. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  /** Who made it, plain text; empty where it isn't said. */
  attribution: z.string(),
});

/** What is known of a set of tiles. */
export type TileFacts = z.infer<typeof tileFactsSchema>;

/** Why a template can't be used, in a sentence; null when it can. */
export function findTemplateProblem(urlTemplate: string): string | null {
  const missing = ['{z}', '{x}', '{y}'].filter((part) => !urlTemplate.includes(part));
  if (missing.length > 0) return `It lacks ${missing.join(', ')}.`;
  const sample = fillTemplate(urlTemplate, { z: 1, x: 0, y: 0 });
  if (!URL.canParse(sample)) return 'It is no web address.';
  const { protocol, hostname, username, password } = new URL(sample);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) return 'It has to begin with https://.';
  if (/[{}]|%7B|%7D/i.test(sample)) return 'Only {z}, {x} and {y} are filled in; write out everything else.';
  const { hostname: templateHost } = new URL(urlTemplate.replace(/[{}]/g, ''));
  if (templateHost !== hostname) return 'The name of the server has to be written out.';
  return username !== '' || password !== '' ? 'A name or password may not stand in it.' : null;
}

/** The address of one tile. */
export function fillTemplate(urlTemplate: string, { z, x, y }: { z: number; x: number; y: number }): string {
  return urlTemplate.replaceAll('{z}', String(z)).replaceAll('{x}', String(x)).replaceAll('{y}', String(y));
}
