import type { Map as LeafletMap } from 'leaflet';
import type { ItemRow } from '#shared/stac/item-row.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { AreaShape } from './area-shape.ts';
import { paintEmphasised, paintFootprints } from './footprint-painter.ts';
import { FootprintSet } from './footprint-set.ts';
import { MapCanvas, type CanvasFrame } from './map-canvas.ts';
import type { MapTheme } from './map-theme.ts';

/** Where the layer gets what it doesn't own. */
export interface FootprintLayerOptions {
  themeOf: () => MapTheme;
  /** The area to draw above the footprints; null for none. */
  areaOf: () => AreaShape | null;
}

type ColourOf = (collectionId: string) => string;

/** All footprints on one canvas; what stands out, and the area of interest, on a second that is cheap to draw again. */
export class FootprintLayer {
  readonly #options: FootprintLayerOptions;
  readonly #base: MapCanvas;
  readonly #overlay: MapCanvas;
  #rows: readonly ItemRow[] = [];
  #colourOf: ColourOf | null = null;
  #set = new FootprintSet([]);
  #indexByKey: Map<string, number> | null = null;
  #hovered: ItemRef | null = null;
  #highlighted: ItemRef | null = null;
  #selected: readonly ItemRef[] = [];

  constructor(map: LeafletMap, options: FootprintLayerOptions) {
    this.#options = options;
    this.#base = new MapCanvas(map, {
      pane: 'footprints',
      zIndex: 410,
      paint: (frame) => this.#paintAll(frame),
    });
    this.#overlay = new MapCanvas(map, {
      pane: 'chosen',
      zIndex: 420,
      paint: (frame) => this.#paintChosen(frame),
    });
  }

  /** Replaces all footprints. */
  setRows(rows: readonly ItemRow[], colourOf: ColourOf): void {
    if (rows === this.#rows && colourOf === this.#colourOf) return;
    if (rows !== this.#rows) {
      this.#rows = rows;
      this.#set = new FootprintSet(rows);
      this.#indexByKey = null;
      this.#overlay.requestPaint();
    }
    this.#colourOf = colourOf;
    this.#base.requestPaint();
  }

  /** Emphasises what the pointer is on; says whether that is another than before. */
  setHovered(ref: ItemRef | null): boolean {
    if (keyOf(ref) === keyOf(this.#hovered)) return false;
    this.#hovered = ref;
    this.#overlay.requestPaint();
    return true;
  }

  /** Emphasises what the owner asks for. */
  setHighlighted(ref: ItemRef | null): void {
    if (keyOf(ref) === keyOf(this.#highlighted)) return;
    this.#highlighted = ref;
    this.#overlay.requestPaint();
  }

  /** Marks the chosen ones. */
  setSelected(refs: readonly ItemRef[]): void {
    if (refs === this.#selected) return;
    this.#selected = refs;
    this.#overlay.requestPaint();
  }

  /** The footprints at a point in world units, smallest first. */
  findAt(x: number, y: number, tolerance: number): ItemRef[] {
    return this.#set.findAt(x, y, tolerance).flatMap((index) => {
      const row = this.#rows[index];
      return row ? [{ collectionId: row.collectionId, itemId: row.itemId }] : [];
    });
  }

  /** The area, or what is chosen, changed. */
  requestOverlayPaint(): void {
    this.#overlay.requestPaint();
  }

  /** Draws again in the theme's new colours. */
  refreshTheme(): void {
    this.#base.requestPaint();
    this.#overlay.requestPaint();
  }

  /** Takes the canvases off the map. */
  destroy(): void {
    this.#base.destroy();
    this.#overlay.destroy();
  }

  #paintAll(frame: CanvasFrame): Iterator<void> {
    const { resolve } = this.#options.themeOf();
    const byCollection = new Map<string, string>();
    return paintFootprints(frame, this.#set, (index) => {
      const collectionId = this.#rows[index]?.collectionId ?? '';
      let colour = byCollection.get(collectionId);
      if (colour === undefined) {
        colour = resolve(this.#colourOf?.(collectionId) ?? 'currentColor');
        byCollection.set(collectionId, colour);
      }
      return colour;
    });
  }

  #paintChosen(frame: CanvasFrame): void {
    const theme = this.#options.themeOf();
    paintEmphasised(frame, this.#set, {
      indexes: this.#indexesOf(this.#selected),
      style: { colour: theme.accent, lineWidthPx: 2.2, fillOpacity: 0.18, casing: theme.surface },
    });
    for (const ref of [this.#highlighted, this.#hovered]) {
      const isSelected = this.#selected.some((selected) => keyOf(selected) === keyOf(ref));
      const colour = isSelected
        ? theme.accent
        : theme.resolve(this.#colourOf?.(ref?.collectionId ?? '') ?? theme.text);
      paintEmphasised(frame, this.#set, {
        indexes: this.#indexesOf(ref ? [ref] : []),
        style: { colour, lineWidthPx: isSelected ? 2.8 : 2, fillOpacity: 0.22, casing: theme.surface },
      });
      if (keyOf(this.#highlighted) === keyOf(this.#hovered)) break;
    }
    this.#options.areaOf()?.paint(frame, theme);
  }

  #indexesOf(refs: readonly ItemRef[]): Set<number> {
    const indexes = new Set<number>();
    for (const ref of refs) {
      const index = this.#indexes().get(keyOf(ref));
      if (index !== undefined) indexes.add(index);
    }
    return indexes;
  }

  #indexes(): Map<string, number> {
    this.#indexByKey ??= new Map(this.#rows.map((row, index) => [keyOf(row), index]));
    return this.#indexByKey;
  }
}

function keyOf(ref: ItemRef | null): string {
  return ref ? `${ref.collectionId}\n${ref.itemId}` : '';
}
