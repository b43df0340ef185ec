import type { TileFacts } from '#shared/basemap/basemap.ts';
import type { MapTheme } from './map-theme.ts';
import type { WorldPlace } from './missing-tiles.ts';
import { toLatitude, toLongitude, wrapLongitude } from '#shared/geo/mercator.ts';
import type { CanvasFrame } from './picture.ts';
import { PlaceLabels, type LabelKind, type MapNames, type PlacedLabel } from './place-labels.ts';

/** Where raster tiles lie, and which of them are not there after all. */
interface RasterCover extends Pick<TileFacts, 'bounds' | 'minZoom'> {
  isMissingAt: (place: WorldPlace, zoom: number) => boolean;
}

/** Draws place names; remembers where they go for the last zoom. */
export class LabelPainter {
  #names: MapNames = { places: [], countries: [] };
  #hidden: RasterCover | null = null;
  #placed: { zoom: number; fontFamily: string; labels: PlaceLabels } | null = null;

  /** Takes other names. */
  setNames(names: MapNames): void {
    this.#names = names;
    this.#placed = null;
  }

  /** Writes no names where raster tiles lie, which bring their own; null for everywhere. */
  setHiddenIn(tiles: RasterCover | null): void {
    this.#hidden = tiles;
  }

  /** Forgets measured widths: the font is there now. */
  forget(): void {
    this.#placed = null;
  }

  /** Draws what lies in the frame. */
  paint(frame: CanvasFrame, theme: MapTheme): void {
    const { context, left, top, box } = frame;
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    for (const label of this.#labelsFor(frame, theme).labelsIn(box)) {
      if (this.#isHidden(label, frame)) continue;
      const x = Math.round(label.x - left);
      const y = Math.round(label.y - top);
      paintLabel(context, { ...label, x, y }, theme);
    }
  }

  #isHidden({ x, y }: PlacedLabel, { scale, zoom }: CanvasFrame): boolean {
    if (!this.#hidden || Math.round(zoom) < this.#hidden.minZoom) return false;
    if (this.#hidden.isMissingAt({ x: x / scale, y: y / scale }, zoom)) return false;
    if (!this.#hidden.bounds) return true;
    const [west, south, east, north] = this.#hidden.bounds;
    const longitude = wrapLongitude(toLongitude(x / scale));
    const latitude = toLatitude(y / scale);
    return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
  }

  #labelsFor({ context, zoom }: CanvasFrame, theme: MapTheme): PlaceLabels {
    const { fontFamily } = theme;
    if (this.#placed?.zoom !== zoom || this.#placed.fontFamily !== fontFamily) {
      const labels = new PlaceLabels(this.#names, zoom, (text, kind) => {
        setFont(context, kind, theme);
        return context.measureText(textOf(text, kind)).width;
      });
      this.#placed = { zoom, fontFamily, labels };
    }
    return this.#placed.labels;
  }
}

function paintLabel(context: CanvasRenderingContext2D, label: PlacedLabel, theme: MapTheme): void {
  const { x, y, kind, align } = label;
  const text = textOf(label.text, kind);
  setFont(context, kind, theme);
  context.textAlign = align;
  context.strokeStyle = theme.land;
  context.lineWidth = 3;
  const textX = align === 'left' ? x + 6 : align === 'right' ? x - 6 : x;
  context.globalAlpha = 0.85;
  context.strokeText(text, textX, y);
  context.globalAlpha = 1;
  context.fillStyle = theme.muted;
  context.fillText(text, textX, y);
  if (kind !== 'country') paintDot(context, label, theme);
}

/** A ring for a capital, a dot for other places. */
function paintDot(context: CanvasRenderingContext2D, label: PlacedLabel, theme: MapTheme): void {
  context.beginPath();
  context.arc(label.x, label.y, label.isCapital ? 2.4 : 2, 0, Math.PI * 2);
  context.lineWidth = label.isCapital ? 4 : 1.5;
  context.stroke();
  if (label.isCapital) {
    context.fillStyle = theme.surface;
    context.strokeStyle = theme.muted;
    context.lineWidth = 1.5;
    context.stroke();
  }
  context.fill();
}

function setFont(context: CanvasRenderingContext2D, kind: LabelKind, theme: MapTheme): void {
  const font = { country: '500 9.5px', city: '500 11.5px', town: '450 11px' }[kind];
  context.font = `${font} ${theme.fontFamily}`;
  context.letterSpacing = kind === 'country' ? '1.5px' : '0px';
}

function textOf(text: string, kind: LabelKind): string {
  return kind === 'country' ? text.toUpperCase() : text;
}
