import type { Map as LeafletMap } from 'leaflet';
import type { BasemapLevel } from './basemap-data.ts';
import { paintBasemap } from './basemap-painter.ts';
import { loadCoarseBasemap, loadFineBasemap, loadPlaces } from './basemap-source.ts';
import { LabelPainter } from './label-painter.ts';
import { MapCanvas } from './map-canvas.ts';
import type { MapTheme } from './map-theme.ts';

// Below this zoom the coarse world can't be told from the detailed one.
const FINE_FROM_ZOOM = 3;

/** The offline world under the footprints, and its names above them. */
export class Basemap {
  readonly #ground: MapCanvas;
  readonly #names: MapCanvas;
  readonly #labels = new LabelPainter();
  #coarse: BasemapLevel | null = null;
  #fine: BasemapLevel | null = null;
  #isDestroyed = false;

  constructor(map: LeafletMap, themeOf: () => MapTheme) {
    this.#ground = new MapCanvas(map, {
      pane: 'ground',
      zIndex: 200,
      paint: (frame) => {
        const level =
          frame.zoom < FINE_FROM_ZOOM ? (this.#coarse ?? this.#fine) : (this.#fine ?? this.#coarse);
        paintBasemap(frame, level, themeOf());
      },
    });
    this.#names = new MapCanvas(map, {
      pane: 'names',
      zIndex: 430,
      paint: (frame) => this.#labels.paint(frame, themeOf()),
    });
    void this.#load();
    void document.fonts.ready.then(() => this.#repaintNames());
  }

  /** Draws again in the theme's new colours. */
  requestPaint(): void {
    this.#ground.requestPaint();
    this.#names.requestPaint();
  }

  /** Takes the canvases off the map. */
  destroy(): void {
    this.#isDestroyed = true;
    this.#ground.destroy();
    this.#names.destroy();
  }

  /** What can't be loaded is not drawn; the map works without. */
  async #load(): Promise<void> {
    const fine = loadFineBasemap();
    const places = loadPlaces().catch(() => []);
    this.#coarse = await loadCoarseBasemap().catch(() => null);
    if (!this.#isDestroyed) this.#ground.requestPaint();
    this.#fine = await fine.catch(() => null);
    this.#labels.setNames({ places: await places, countries: this.#fine?.countries ?? [] });
    if (!this.#isDestroyed) this.requestPaint();
  }

  #repaintNames(): void {
    this.#labels.forget();
    if (!this.#isDestroyed) this.#names.requestPaint();
  }
}
