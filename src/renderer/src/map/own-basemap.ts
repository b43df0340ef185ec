import type { Coords, DoneCallback, GridLayer, GridLayerOptions, Map as LeafletMap } from 'leaflet';
import type { TileFacts } from '#shared/basemap/basemap.ts';
import { leaflet } from './leaflet.ts';
import type { MapTheme } from './map-theme.ts';
import { MissingTiles, type WorldPlace } from './missing-tiles.ts';
import { VectorTileEngine } from './vector-tile-loading.ts';
import type { VectorTileColours } from './vector-tile-style.ts';

/** The tiles of a basemap that a person added. */
export interface OwnBasemap {
  id: string;
  facts: TileFacts;
}

const TILE_PX = 256;
const PANE = 'own-basemap';
// Closer than the bundled map goes, where the tiles do.
const MAX_ZOOM = 19;

/** A basemap of tiles over the bundled one, which shows wherever there are none. */
export class OwnBasemapLayer {
  readonly #map: LeafletMap;
  readonly #themeOf: () => MapTheme;
  readonly #bundledMaxZoom: number;
  readonly #missing = new MissingTiles();
  readonly #onMissing: () => void;
  #shown: { basemap: OwnBasemap; layer: GridLayer; engine: VectorTileEngine | null; credit: string } | null =
    null;

  /** `onMissing` is told when there is another tile that can't be shown. */
  constructor(map: LeafletMap, themeOf: () => MapTheme, onMissing: () => void) {
    this.#map = map;
    this.#themeOf = themeOf;
    this.#onMissing = onMissing;
    this.#bundledMaxZoom = map.getMaxZoom();
    const pane = map.createPane(PANE);
    pane.style.zIndex = '210';
    pane.style.pointerEvents = 'none';
  }

  /** Shows these tiles and no others; null for none. */
  show(basemap: OwnBasemap | null): void {
    if (JSON.stringify(basemap) === JSON.stringify(this.#shown?.basemap ?? null)) return;
    this.#remove();
    if (!basemap) return;
    const { facts } = basemap;
    const engine = facts.tiles === 'vector' ? new VectorTileEngine() : null;
    const url = `_tile/${encodeURIComponent(basemap.id)}/{z}/{x}/{y}`;
    const options = this.#optionsOf(facts);
    const layer = engine
      ? this.#createVectorLayer(engine, { url, options })
      : leaflet.tileLayer(toAbsolute(url), { ...options, detectRetina: false });
    const credit = escapeText(facts.attribution);
    layer.on('tileerror', ({ coords }) => {
      this.#missing.add(coords);
      this.#onMissing();
    });
    layer.on('tileunload', ({ coords }) => this.#missing.delete(coords));
    this.#shown = { basemap, layer, engine, credit };
    this.#map.setMaxZoom(Math.max(this.#bundledMaxZoom, Math.min(MAX_ZOOM, facts.maxZoom)));
    layer.addTo(this.#map);
    if (credit !== '') this.#map.attributionControl.addAttribution(credit);
  }

  /** Whether the bundled map shows at a place, because the tile over it can't be shown. */
  isMissingAt(place: WorldPlace, zoom: number): boolean {
    const { minZoom = 0, maxZoom = MAX_ZOOM } = this.#shown?.basemap.facts ?? {};
    return this.#missing.has(place, Math.max(minZoom, Math.min(maxZoom, Math.round(zoom))));
  }

  /** Draws vector tiles again in the theme's new colours. */
  refreshTheme(): void {
    if (this.#shown?.engine) this.#shown.layer.redraw();
  }

  /** Takes it off the map. */
  destroy(): void {
    this.#remove();
  }

  #remove(): void {
    const shown = this.#shown;
    this.#shown = null;
    if (!shown) return;
    shown.layer.remove();
    this.#missing.clear();
    shown.engine?.stop();
    if (shown.credit !== '') this.#map.attributionControl.removeAttribution(shown.credit);
    this.#map.setMaxZoom(this.#bundledMaxZoom);
  }

  #optionsOf({ minZoom, maxZoom, bounds }: TileFacts): GridLayerOptions {
    return {
      pane: PANE,
      tileSize: TILE_PX,
      minZoom,
      // Closer in, the closest tiles are enlarged.
      maxNativeZoom: maxZoom,
      maxZoom: MAX_ZOOM,
      keepBuffer: 1,
      updateWhenZooming: false,
      ...(bounds && {
        bounds: [
          [bounds[1], bounds[0]],
          [bounds[3], bounds[2]],
        ] as [[number, number], [number, number]],
      }),
    };
  }

  #createVectorLayer(
    engine: VectorTileEngine,
    { url, options }: { url: string; options: GridLayerOptions },
  ): GridLayer {
    const cancels = new WeakMap<HTMLElement, () => void>();
    const themeOf = this.#themeOf;
    const Layer = leaflet.GridLayer.extend({
      createTile({ x, y, z }: Coords, done: DoneCallback): HTMLElement {
        const canvas = document.createElement('canvas');
        const ratio = window.devicePixelRatio;
        const address = leaflet.Util.template(url, { x, y, z });
        const order = {
          url: toAbsolute(address),
          zoom: z,
          sizePx: TILE_PX,
          ratio,
          colours: coloursOf(themeOf()),
        };
        const cancel = engine.paint(order, (picture) => {
          if (picture) {
            canvas.width = picture.width;
            canvas.height = picture.height;
            canvas.getContext('2d')?.drawImage(picture, 0, 0);
            picture.close();
          }
          done(picture ? undefined : new Error('no tile'), canvas);
        });
        cancels.set(canvas, cancel);
        return canvas;
      },
    }) as unknown as new (options: GridLayerOptions) => GridLayer;
    const layer = new Layer(options);
    layer.on('tileunload', ({ tile }) => cancels.get(tile)?.());
    return layer;
  }
}

function coloursOf({ sea, land, landLine, river, resolve }: MapTheme): VectorTileColours {
  return {
    sea,
    land,
    river,
    line: landLine,
    green: resolve('var(--map-green)'),
    built: resolve('var(--map-built)'),
    building: resolve('var(--map-building)'),
    road: resolve('var(--map-road)'),
    roadEdge: resolve('var(--map-road-edge)'),
  };
}

// Joined as text: an address would lose the braces that Leaflet fills in.
function toAbsolute(path: string): string {
  return new URL('/', document.baseURI).href + path;
}

// What the control shows is set as HTML, and a file says it.
function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
