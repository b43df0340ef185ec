import type { Map as LeafletMap } from 'leaflet';
import type { BasemapLevel, WaterLevel } from './basemap-data.ts';
import { paintBasemap, paintGraticule } from './basemap-painter.ts';
import { BasemapSource, type BasemapDetail } from './basemap-source.ts';
import { LabelPainter } from './label-painter.ts';
import { MapCanvas } from './map-canvas.ts';
import type { MapTheme } from './map-theme.ts';
import type { Place } from './place-labels.ts';

// Below these zooms a world can't be told from the more detailed one.
const FINE_FROM_ZOOM = 3;
const FINEST_FROM_ZOOM = 6;

/** The offline world under the footprints, and its names above them. */
export class Basemap {
  readonly #source = new BasemapSource();
  readonly #ground: MapCanvas;
  readonly #names: MapCanvas;
  readonly #labels = new LabelPainter();
  readonly #levels: Partial<Record<BasemapDetail, BasemapLevel & WaterLevel>> = {};
  readonly #asked = new Set<BasemapDetail>();
  #places: readonly Place[] = [];
  #isDestroyed = false;

  constructor(map: LeafletMap, themeOf: () => MapTheme) {
    this.#ground = new MapCanvas(map, {
      pane: 'ground',
      zIndex: 200,
      paint: (frame) => {
        const detail = detailAt(frame.zoom);
        if (detail === 'finest') void this.#load('finest');
        const { coarse, fine, finest } = this.#levels;
        const level =
          (detail === 'coarse' ? coarse : detail === 'finest' ? finest : fine) ?? fine ?? coarse ?? null;
        const water = (detail === 'coarse' ? coarse : fine) ?? fine ?? coarse ?? null;
        paintBasemap(frame, { level, water }, themeOf());
        paintGraticule(frame, themeOf());
      },
    });
    this.#names = new MapCanvas(map, {
      pane: 'names',
      zIndex: 430,
      paint: (frame) => this.#labels.paint(frame, themeOf()),
    });
    void this.#begin();
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
    this.#source.stop();
    this.#ground.destroy();
    this.#names.destroy();
  }

  async #begin(): Promise<void> {
    void this.#load('coarse');
    void this.#load('fine');
    this.#places = await this.#source.loadPlaces().catch(() => []);
    this.#takeNames();
  }

  /** What can't be loaded is not drawn; the map works without. */
  async #load(detail: BasemapDetail): Promise<void> {
    if (this.#asked.has(detail)) return;
    this.#asked.add(detail);
    const level = await this.#source.load(detail);
    if (!level || this.#isDestroyed) return;
    this.#levels[detail] = level;
    this.#ground.requestPaint();
    if (detail === 'fine') this.#takeNames();
  }

  #takeNames(): void {
    this.#labels.setNames({ places: this.#places, countries: this.#levels.fine?.countries ?? [] });
    if (!this.#isDestroyed) this.#names.requestPaint();
  }

  #repaintNames(): void {
    this.#labels.forget();
    if (!this.#isDestroyed) this.#names.requestPaint();
  }
}

function detailAt(zoom: number): BasemapDetail {
  if (zoom < FINE_FROM_ZOOM) return 'coarse';
  return zoom < FINEST_FROM_ZOOM ? 'fine' : 'finest';
}
