import type { Geometry } from 'geojson';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { DrawingShape } from '../map/drawing-tool.ts';
import type { MapFocus } from '../map/map-events.ts';
import { geometryOfArea, type DraftArea } from './draft-area.ts';
import type { QuestionState } from './question-state.svelte.ts';

/** Where the map begins: near enough that single footprints can be told apart. */
const firstView: Bbox = [-6, 41, 16, 53];

/** The map's part of the question, and what it is asked to do. */
export class MapState {
  readonly #question: QuestionState;
  #drawing = $state.raw<DrawingShape | null>(null);
  #focus = $state.raw<MapFocus | null>({ bbox: firstView, mayZoomIn: true });
  #tellCleared: (before: DraftArea) => void = () => undefined;
  #cursor = $state.raw<{ longitude: number; latitude: number } | null>(null);

  /** The area of the question; null when it is the view or everywhere. */
  readonly aoi = $derived.by(() => geometryOfArea(this.#question.draft.area));

  constructor(question: QuestionState) {
    this.#question = question;
  }

  get drawing(): DrawingShape | null {
    return this.#drawing;
  }

  get cursor(): { longitude: number; latitude: number } | null {
    return this.#cursor;
  }

  setCursor(position: { longitude: number; latitude: number } | null): void {
    this.#cursor = position;
  }

  /** The box to bring into view; a new object each time it is asked for. */
  get focus(): MapFocus | null {
    return this.#focus;
  }

  /** Brings a box into view, closely. */
  focusOn(bbox: Bbox): void {
    this.#focus = { bbox, mayZoomIn: true };
  }

  /** Goes to a box at the zoom there is: what lies around it says where it is. */
  goTo(bbox: Bbox): void {
    this.#focus = { bbox, mayZoomIn: false };
  }

  /** Begins to draw; null stops. */
  draw(shape: DrawingShape | null): void {
    this.#drawing = shape;
  }

  endDrawing(): void {
    this.#drawing = null;
  }

  /** Calls back with the area that was cleared. */
  onCleared(listener: (before: DraftArea) => void): void {
    this.#tellCleared = listener;
  }

  /** Takes what was drawn or edited on the map as the area of the question. */
  setAoi(geometry: Geometry | null): void {
    const { area } = this.#question.draft;
    if (geometry === null) {
      this.#question.edit({ area: { kind: 'everywhere' } });
      this.#tellCleared(area);
    } else {
      this.#question.edit({ area: takeDrawn(geometry, { before: area, drawing: this.#drawing }) });
    }
  }
}

// What is drawn anew has no name yet; what is edited keeps its own, and where it came from.
function takeDrawn(
  geometry: Geometry,
  { before, drawing }: { before: DraftArea; drawing: DrawingShape | null },
): DraftArea {
  if (drawing) return { kind: 'shape', geometry, origin: drawing, name: null };
  if (before.kind === 'shape') return { ...before, geometry };
  const bbox = before.kind === 'box' ? toUprightBox(geometry) : null;
  if (bbox && before.kind === 'box') return { ...before, bbox };
  return {
    kind: 'shape',
    geometry,
    origin: 'rectangle',
    name: (before.kind === 'box' && before.name) || null,
  };
}

/** The box that a geometry is, when it is one and lies in one piece. */
function toUprightBox(geometry: Geometry): [number, number, number, number] | null {
  if (geometry.type !== 'Polygon' || geometry.coordinates.length !== 1) return null;
  const [ring = []] = geometry.coordinates;
  const longitudes = [...new Set(ring.map(([longitude = NaN]) => longitude))];
  const latitudes = [...new Set(ring.map(([, latitude = NaN]) => latitude))];
  if (ring.length !== 5 || longitudes.length !== 2 || latitudes.length !== 2) return null;
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)];
}
