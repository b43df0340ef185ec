import coarseUrl from 'world-atlas/countries-110m.json?url';
import fineUrl from 'world-atlas/countries-50m.json?url';
import placesUrl from '../../../../resources/basemap/places.json?url';
import { readBasemap, type BasemapLevel, type WorldAtlas } from './basemap-data.ts';
import type { Place } from './place-labels.ts';

/** Loads the coarse world. The data ships with the app; nothing outside is asked. */
export async function loadCoarseBasemap(): Promise<BasemapLevel> {
  return readBasemap((await fetchJson(coarseUrl)) as WorldAtlas);
}

/** Loads the detailed world. */
export async function loadFineBasemap(): Promise<BasemapLevel> {
  return readBasemap((await fetchJson(fineUrl)) as WorldAtlas);
}

/** Loads the cities. */
export async function loadPlaces(): Promise<Place[]> {
  return (await fetchJson(placesUrl)) as Place[];
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url);
  return response.json();
}
