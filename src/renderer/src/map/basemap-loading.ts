import type { BasemapLevel, WaterLevel, WorldLine } from './basemap-data.ts';

/** What the worker is asked to load and project: addresses that it can fetch. */
export interface BasemapOrder {
  number: number;
  worldUrl: string;
  /** Null for none. */
  waterUrl: string | null;
}

/** One level as it was read; null where it could not be. */
export interface BasemapReading {
  number: number;
  level: (BasemapLevel & WaterLevel) | null;
}

/** Puts the coordinates of all lines into one buffer, which can be handed from thread to thread in one go. */
export function shareBuffer(groups: readonly (readonly WorldLine[])[]): ArrayBuffer {
  const lines = groups.flat();
  const all = new Float64Array(lines.reduce((sum, { coordinates }) => sum + coordinates.length, 0));
  let at = 0;
  for (const line of lines) {
    all.set(line.coordinates, at);
    line.coordinates = all.subarray(at, at + line.coordinates.length);
    at += line.coordinates.length;
  }
  return all.buffer;
}
