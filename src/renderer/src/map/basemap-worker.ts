import { readBasemap, readWater, type WaterAtlas, type WorldAtlas } from './basemap-data.ts';
import { shareBuffer, type BasemapOrder, type BasemapReading } from './basemap-loading.ts';

self.addEventListener('message', ({ data }: MessageEvent<BasemapOrder>) => void read(data));

async function read({ number, worldUrl, waterUrl }: BasemapOrder): Promise<void> {
  try {
    const [world, water] = await Promise.all([
      fetchJson<WorldAtlas>(worldUrl),
      waterUrl === null ? null : fetchJson<WaterAtlas>(waterUrl),
    ]);
    const level = { ...readBasemap(world), ...(water ? readWater(water) : { lakes: [], rivers: [] }) };
    const buffer = shareBuffer([level.land, level.coasts, level.borders, level.lakes, level.rivers]);
    self.postMessage({ number, level } satisfies BasemapReading, { transfer: [buffer] });
  } catch {
    self.postMessage({ number, level: null } satisfies BasemapReading);
  }
}

async function fetchJson<Value>(url: string): Promise<Value> {
  const response = await fetch(url);
  return (await response.json()) as Value;
}
