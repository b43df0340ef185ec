import type { CanvasFrame } from './picture.ts';
import type { MapTheme } from './map-theme.ts';
import { placeLabels, type PlacedLabel, type Place } from './place-labels.ts';
import type { CountryName } from './basemap-data.ts';

/** Draws place names; remembers where they go for the last zoom. */
export class LabelPainter {
  #names: { places: readonly Place[]; countries: readonly CountryName[] } = { places: [], countries: [] };
  #placed: { zoom: number; fontFamily: string; labels: PlacedLabel[] } | null = null;

  /** Takes other names. */
  setNames(names: { places: readonly Place[]; countries: readonly CountryName[] }): void {
    this.#names = names;
    this.#placed = null;
  }

  /** Forgets measured widths: the font is there now. */
  forget(): void {
    this.#placed = null;
  }

  /** Draws what lies in the frame. */
  paint(frame: CanvasFrame, theme: MapTheme): void {
    const { context, scale, left, top, width, height, box } = frame;
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    for (const label of this.#labelsFor(frame, theme)) {
      for (let offset = Math.floor(box.minX); offset <= Math.floor(box.maxX); offset++) {
        const x = Math.round(label.x + offset * scale - left);
        const y = Math.round(label.y - top);
        if (x < -200 || x > width + 200 || y < -20 || y > height + 20) continue;
        paintLabel(context, { ...label, x, y }, theme);
      }
    }
  }

  #labelsFor({ context, zoom }: CanvasFrame, theme: MapTheme): PlacedLabel[] {
    const { fontFamily } = theme;
    if (this.#placed?.zoom !== zoom || this.#placed.fontFamily !== fontFamily) {
      const labels = placeLabels(this.#names, zoom, (text, kind) => {
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
  if (kind === 'country') return;
  context.beginPath();
  context.arc(x, y, 2, 0, Math.PI * 2);
  context.lineWidth = 1.5;
  context.stroke();
  context.fill();
}

function setFont(context: CanvasRenderingContext2D, kind: PlacedLabel['kind'], theme: MapTheme): void {
  context.font = kind === 'country' ? `500 9.5px ${theme.fontFamily}` : `450 11.5px ${theme.fontFamily}`;
  context.letterSpacing = kind === 'country' ? '1.5px' : '0px';
}

function textOf(text: string, kind: PlacedLabel['kind']): string {
  return kind === 'country' ? text.toUpperCase() : text;
}
