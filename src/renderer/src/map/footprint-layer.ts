import type { Map as LeafletMap } from 'leaflet';
import { toItemKey } from '#shared/stac/item-key.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { AreaShape } from './area-shape.ts';
import { paintEmphasised } from './emphasis-painter.ts';
import { FootprintLooks } from './footprint-looks.ts';
import type { Density } from './footprint-brush.ts';
import { densityOf, paintFootprints } from './footprint-painter.ts';
import { FootprintSet, type WorldBox } from './footprint-set.ts';
import { MapCanvas } from './map-canvas.ts';
import type { MapTheme } from './map-theme.ts';
import { choosePictures } from './picture-choice.ts';
import { paintPictures, type ShownPicture } from './picture-painter.ts';
import { PictureStore, type PictureSource } from './picture-store.ts';
import type { CanvasFrame } from './picture.ts';

/** Where the layer gets what it doesn't own. */
export interface FootprintLayerOptions {
  themeOf: () => MapTheme;
  /** The area to draw above the footprints; null for none. */
  areaOf: () => AreaShape | null;
}

/**
 * All footprints on one canvas, the picked ones on a second; what the pointer is on, what is open, and the area of
 * interest on a third that is cheap to draw again.
 */
export class FootprintLayer {
  readonly #options: FootprintLayerOptions;
  readonly #pictureCanvas: MapCanvas;
  readonly #base: MapCanvas;
  readonly #pickedCanvas: MapCanvas;
  readonly #overlay: MapCanvas;
  readonly #looks: FootprintLooks;
  #pictures: PictureStore | null = null;
  #shownPictures: ShownPicture[] = [];
  #rows: readonly ItemRow[] = [];
  #set = new FootprintSet<ItemRow>();
  #density: Density = 'filled';
  readonly #indexByKey = new Map<string, number>();
  /** So many rows of the set are in `#indexByKey`. */
  #keyedCount = 0;
  #hovered: ItemRef | null = null;
  #highlighted: ItemRef | null = null;
  #selected: readonly ItemRef[] = [];
  #picked: readonly ItemRef[] = [];

  constructor(map: LeafletMap, options: FootprintLayerOptions) {
    this.#options = options;
    this.#looks = new FootprintLooks(options.themeOf);
    this.#pictureCanvas = new MapCanvas(map, {
      pane: 'pictures',
      zIndex: 405,
      isNeeded: () => this.#pictures !== null,
      mannerOf: (frame) => this.#choosePictures(frame),
      paint: (frame) => paintPictures(frame, this.#set, this.#shownPictures),
    });
    this.#base = new MapCanvas(map, {
      pane: 'footprints',
      zIndex: 410,
      mannerOf: (frame) => (this.#density = densityOf(frame, this.#set)),
      paint: (frame) => this.#paintAll(frame),
      onShown: markPainted,
    });
    this.#pickedCanvas = new MapCanvas(map, {
      pane: 'picked',
      zIndex: 415,
      isNeeded: () => this.#picked.length > 0,
      paint: (frame) => this.#paintPicked(frame),
    });
    this.#overlay = new MapCanvas(map, {
      pane: 'chosen',
      zIndex: 420,
      isNeeded: () => this.#isAnyChosen || options.areaOf() !== null,
      paint: (frame) => this.#paintChosen(frame),
    });
  }

  /** Shows these footprints and no others. Rows that were shown before are not looked at again. */
  setRows(rows: readonly ItemRow[], colourOf: (collectionId: string) => string): void {
    if (rows !== this.#rows) {
      // Other rows entirely: another search. Those of the last one are not kept.
      if (rows.length > 0 && !this.#set.knowsAnyOf(rows)) this.#forget();
      this.#set.show(rows);
      this.#rows = rows;
      this.#overlay.requestPaint();
      if (this.#picked.length > 0) this.#pickedCanvas.requestPaint();
    } else if (!this.#looks.isOther(colourOf)) return;
    this.#looks.setColours(colourOf);
    this.#base.requestPaint();
    this.#pictureCanvas.requestPaint();
  }

  /** Shows pictures within the footprints that are large enough; null for none. */
  setPictures(source: PictureSource | null): void {
    this.#pictures?.close();
    this.#pictures = source && new PictureStore(source, () => this.#pictureCanvas.requestPaint());
    this.#pictureCanvas.requestPaint();
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

  /** Marks the opened or active ones. */
  setSelected(refs: readonly ItemRef[]): void {
    if (refs === this.#selected) return;
    this.#selected = refs;
    this.#overlay.requestPaint();
  }

  /** Ticks the picked ones. */
  setPicked(refs: readonly ItemRef[]): void {
    if (refs === this.#picked) return;
    this.#picked = refs;
    this.#pickedCanvas.requestPaint();
  }

  /** The rows at a point in world units, smallest footprint first. */
  findAt(x: number, y: number, tolerance: number): ItemRow[] {
    return this.#toRows(this.#set.findAt(x, y, tolerance));
  }

  /** The rows whose footprints share a point with a box in world units. */
  findMeeting(box: WorldBox): ItemRow[] {
    return this.#toRows(this.#set.findMeeting(box));
  }

  /** The area, or what is chosen, changed. */
  requestOverlayPaint(): void {
    this.#overlay.requestPaint();
  }

  /** Draws again in the theme's new colours. */
  refreshTheme(): void {
    this.#looks.forget();
    this.#base.requestPaint();
    this.#pickedCanvas.requestPaint();
    this.#overlay.requestPaint();
  }

  /** Takes the canvases off the map. */
  destroy(): void {
    this.#pictures?.close();
    this.#pictureCanvas.destroy();
    this.#base.destroy();
    this.#pickedCanvas.destroy();
    this.#overlay.destroy();
  }

  /** Names what is shown: a pan that brings others into view paints the whole picture anew. */
  #choosePictures(frame: CanvasFrame): string {
    const pictures = this.#pictures;
    if (!pictures) return '';
    const rowAt = (index: number): ItemRow | undefined => this.#set.rowAt(index);
    const chosen = choosePictures(frame, this.#set, (index) => {
      const row = rowAt(index);
      return row !== undefined && pictures.has(row);
    }).flatMap((footprint) => {
      const row = rowAt(footprint.index);
      return row ? [{ footprint, row }] : [];
    });
    // What lies on top is fetched first.
    pictures.want(chosen.map(({ row }) => row).reverse());
    this.#shownPictures = chosen.flatMap(({ footprint, row }) => {
      const picture = pictures.find(row);
      return picture ? [{ footprint, picture }] : [];
    });
    return this.#shownPictures.map(({ footprint }) => `${footprint.index}/${footprint.offset}`).join();
  }

  #paintAll(frame: CanvasFrame): Iterator<void> {
    return paintFootprints(frame, this.#set, {
      density: this.#density,
      lookAt: (index) => this.#looks.lookOf(this.#set.rowAt(index)),
    });
  }

  get #isAnyChosen(): boolean {
    return this.#hovered !== null || this.#highlighted !== null || this.#selected.length > 0;
  }

  #paintPicked(frame: CanvasFrame): Iterator<void> {
    const { accent, surface } = this.#options.themeOf();
    return paintEmphasised(frame, this.#set, {
      indexes: this.#shownIndexesOf(this.#picked),
      style: { colour: accent, casing: surface, lineWidthPx: 1.6, fillOpacity: 0, hasTick: true },
    });
  }

  *#paintChosen(frame: CanvasFrame): Generator<void, void> {
    const theme = this.#options.themeOf();
    const common = { casing: theme.surface, hasTick: false };
    yield* paintEmphasised(frame, this.#set, {
      indexes: this.#shownIndexesOf(this.#selected),
      style: { ...common, colour: theme.accent, lineWidthPx: 3, fillOpacity: 0.18 },
    });
    const pointedAt = keyOf(this.#highlighted) === keyOf(this.#hovered) ? [] : [this.#highlighted];
    for (const ref of [...pointedAt, this.#hovered]) {
      const index = ref ? this.#indexOf(ref) : undefined;
      if (!ref || index === undefined) continue;
      const isSelected = this.#selected.some((selected) => keyOf(selected) === keyOf(ref));
      const colour = isSelected ? theme.accent : this.#looks.lookOf(this.#set.rowAt(index)).colour;
      const style = { ...common, colour, lineWidthPx: isSelected ? 3.4 : 2, fillOpacity: 0.22 };
      yield* paintEmphasised(frame, this.#set, { indexes: [index], style });
    }
    this.#options.areaOf()?.paint(frame, theme);
  }

  #toRows(indexes: readonly number[]): ItemRow[] {
    return indexes.map((index) => this.#set.rowAt(index)).filter((row) => row !== undefined);
  }

  *#shownIndexesOf(refs: readonly ItemRef[]): Generator<number> {
    for (const ref of refs) {
      const index = this.#indexOf(ref);
      if (index !== undefined) yield index;
    }
  }

  /** Place of an item that is shown. */
  #indexOf(ref: ItemRef): number | undefined {
    // Rows are only ever added to a set, so what is known of it stays true.
    for (; this.#keyedCount < this.#set.count; this.#keyedCount++) {
      this.#indexByKey.set(keyOf(this.#set.rowAt(this.#keyedCount) ?? null), this.#keyedCount);
    }
    const index = this.#indexByKey.get(keyOf(ref));
    return index !== undefined && this.#set.isShown(index) ? index : undefined;
  }

  #forget(): void {
    this.#set = new FootprintSet();
    this.#indexByKey.clear();
    this.#keyedCount = 0;
  }
}

/** So that it can be measured how long the results of a search take to the screen; the latest one tells enough. */
function markPainted(): void {
  performance.clearMarks('footprints-painted');
  performance.mark('footprints-painted');
}

function keyOf(ref: ItemRef | null): string {
  return ref ? toItemKey(ref) : '';
}
