import { url as placesUrl } from 'virtual:basemap/places';
import { url as coarseWaterUrl } from 'virtual:basemap/water-110m';
import { url as fineWaterUrl } from 'virtual:basemap/water-50m';
import finestUrl from 'world-atlas/countries-10m.json?url';
import coarseUrl from 'world-atlas/countries-110m.json?url';
import fineUrl from 'world-atlas/countries-50m.json?url';
import type { BasemapLevel, WaterLevel } from './basemap-data.ts';
import type { BasemapOrder, BasemapReading } from './basemap-loading.ts';
import type { Place } from './place-labels.ts';

/** How much detail: Natural Earth at 1:110, 1:50 and 1:10 million. */
export type BasemapDetail = 'coarse' | 'fine' | 'finest';

type Level = BasemapLevel & WaterLevel;

// No package has lakes and rivers at 1:10 million: those of the level before are drawn with the finest coast.
const urlsByDetail = {
  coarse: { world: coarseUrl, water: coarseWaterUrl },
  fine: { world: fineUrl, water: fineWaterUrl },
  finest: { world: finestUrl, water: null },
};

/** Loads the levels of the bundled basemap in a worker, so that the map goes on meanwhile. Nothing outside is asked. */
export class BasemapSource {
  readonly #worker = new Worker(new URL('./basemap-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting: ((level: Level | null) => void)[] = [];

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<BasemapReading>) =>
      this.#waiting[data.number]?.(data.level),
    );
  }

  /** Null when it can't be loaded. Never settles after `stop`. */
  load(detail: BasemapDetail): Promise<Level | null> {
    const { world, water } = urlsByDetail[detail];
    return new Promise((resolve) => {
      const number = this.#waiting.push(resolve) - 1;
      const order = { number, worldUrl: toAbsolute(world), waterUrl: water && toAbsolute(water) };
      this.#worker.postMessage(order satisfies BasemapOrder);
    });
  }

  /** Loads the cities. */
  async loadPlaces(): Promise<Place[]> {
    const response = await fetch(placesUrl);
    return (await response.json()) as Place[];
  }

  /** Ends the worker. */
  stop(): void {
    this.#worker.terminate();
  }
}

function toAbsolute(url: string): string {
  return new URL(url, document.baseURI).href;
}
