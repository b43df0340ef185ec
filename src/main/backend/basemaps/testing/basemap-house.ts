import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createHttpClient } from '../../http/create-http-client.ts';
import { silentLogger, type DesktopPort } from '../../ports.ts';
import { createSettingsHolder, type SettingsHolder } from '../../settings/settings-holder.ts';
import { createBasemaps, type Basemaps } from '../basemaps.ts';
import { serveTile } from '../serve-tile.ts';

/** Milliseconds of a day. */
export const dayMs = 86_400_000;

/** A person’s basemaps, in a folder of their own. */
export interface House {
  folder: string;
  basemaps: Basemaps;
  settings: SettingsHolder;
  clock: { nowMs: number };
  /** The program ends and begins again. */
  restart: () => Promise<void>;
}

/** Builds them; the folder ends with the test. */
export function buildHouse({ desktop = {} }: { desktop?: DesktopPort } = {}): House {
  const folder = mkdtempSync(join(tmpdir(), 'swath-basemaps-'));
  let stored: Record<string, unknown> = {};
  const store = { read: () => stored, write: (settings: object) => void (stored = { ...settings }) };
  const time = { nowMs: dayMs * 1000 };
  const clock = { now: () => time.nowMs };
  const http = createHttpClient({ credentials: null, clock, logger: silentLogger, maxCatalogRequests: 1 });
  const begin = () => {
    const settings = createSettingsHolder(store);
    const ports = { desktop, homeDir: folder, dataDir: folder, clock, logger: silentLogger };
    return { settings, basemaps: createBasemaps({ ports, settings, http }) };
  };
  const house: House = {
    folder,
    clock: time,
    ...begin(),
    restart: async () => {
      await house.basemaps.close();
      Object.assign(house, begin());
    },
  };
  onTestFinished(async () => {
    await house.basemaps.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return house;
}

/** What the window gets at a path. */
export async function getTile(basemaps: Basemaps, path: string) {
  const { status, headers, body } = await serveTile(path, { basemaps });
  return { status, type: headers['content-type'], cache: headers['cache-control'], body };
}
