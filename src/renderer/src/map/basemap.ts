import type { Map as LeafletMap } from 'leaflet';
import type { BasemapLevel, WaterLevel } from './basemap-data.ts';
import { paintBasemap, paintGraticule, type BasemapParts } from './basemap-painter.ts';
import { BasemapSource, type BasemapDetail } from './basemap-source.ts';
import { GraticuleLabels } from './graticule-labels.ts';
import { LabelPainter } from './label-painter.ts';
import { MapCanvas } from './map-canvas.ts';
import type { MapTheme } from './map-theme.ts';
import { OwnBasemapLayer, type OwnBasemap } from './own-basemap.ts';
import type { Place } from './place-labels.ts';

// Below these zooms a world can't be told from the more detailed one.
const FINE_FROM_ZOOM = 3;
const FINEST_FROM_ZOOM = 6;

/** The offline world under the footprints, and its names above them. */
export class Basemap {
  readonly #source = new BasemapSource();
  readonly #ground: MapCanvas;
  readonly #names: MapCanvas;
  readonly #graticule: MapCanvas;
  readonly #tiles: OwnBasemapLayer;
  readonly #degrees: GraticuleLabels;
  readonly #labels = new LabelPainter();
  readonly #levels: Partial<Record<BasemapDetail, BasemapLevel & WaterLevel>> = {};
  readonly #asked = new Set<BasemapDetail>();
  #places: readonly Place[] = [];
  #isGraticuleShown = true;
  #hasTiles = false;
  #isDestroyed = false;

  constructor(map: LeafletMap, themeOf: () => MapTheme) {
    this.#ground = new MapCanvas(map, {
      pane: 'ground',
      zIndex: 200,
      paint: (frame) => {
        paintBasemap(frame, this.#partsAt(frame.zoom), themeOf());
        if (this.#isGraticuleShown && !this.#hasTiles) paintGraticule(frame, themeOf());
      },
    });
    this.#graticule = new MapCanvas(map, {
      pane: 'graticule',
      zIndex: 220,
      // Without tiles over the ground the lines are part of it: one canvas less to move.
      isNeeded: () => this.#isGraticuleShown && this.#hasTiles,
      paint: (frame) => paintGraticule(frame, themeOf()),
    });
    this.#tiles = new OwnBasemapLayer(map, themeOf, () => this.#names.requestPaint());
    this.#degrees = new GraticuleLabels(map);
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
    this.#graticule.requestPaint();
    this.#names.requestPaint();
  }

  /** Reads the theme's new colours. */
  refreshTheme(): void {
    this.requestPaint();
    this.#tiles.refreshTheme();
  }

  /** Shows the tiles of a person's own basemap over the bundled one; null for none. */
  showTiles(basemap: OwnBasemap | null): void {
    this.#tiles.show(basemap);
    this.#hasTiles = basemap !== null;
    const isRaster = basemap?.facts.tiles === 'raster';
    this.#labels.setHiddenIn(
      isRaster
        ? { ...basemap.facts, isMissingAt: (place, zoom) => this.#tiles.isMissingAt(place, zoom) }
        : null,
    );
    this.requestPaint();
  }

  /** Shows lines of longitude and latitude, or not. */
  setGraticule(isShown: boolean): void {
    if (isShown === this.#isGraticuleShown) return;
    this.#isGraticuleShown = isShown;
    this.#degrees.setShown(isShown);
    this.requestPaint();
  }

  /** Takes the canvases off the map. */
  destroy(): void {
    this.#isDestroyed = true;
    this.#source.stop();
    this.#ground.destroy();
    this.#graticule.destroy();
    this.#tiles.destroy();
    this.#degrees.destroy();
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

  /** The best that is loaded; until then, anything. */
  #partsAt(zoom: number): BasemapParts {
    const detail = detailAt(zoom);
    if (detail === 'finest') void this.#load('finest');
    const { coarse, fine, finest } = this.#levels;
    const any = fine ?? coarse ?? null;
    if (detail === 'coarse') return { level: coarse ?? any, water: coarse ?? any };
    return { level: (detail === 'finest' ? finest : fine) ?? any, water: any };
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
