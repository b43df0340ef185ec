import type { Geometry } from 'geojson';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { DrawingShape } from '../map/drawing-tool.ts';
import type { MapFocus } from '../map/map-events.ts';
import type { QuestionState } from './question-state.svelte.ts';

/** Where the map begins: near enough that single footprints can be told apart. */
const firstView: Bbox = [-6, 41, 16, 53];

/** The map's part of the question, and what it is asked to do. */
export class MapState {
  readonly #question: QuestionState;
  #drawing = $state.raw<DrawingShape | null>(null);
  #focus = $state.raw<MapFocus | null>({ bbox: firstView, mayZoomIn: true });
  #cursor = $state.raw<{ longitude: number; latitude: number } | null>(null);

  /** The drawn area of the question; null when it is the view or everywhere. */
  readonly aoi = $derived.by(() => {
    const { area } = this.#question.draft;
    return area.kind === 'drawn' ? area.geometry : null;
  });

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

  /** Takes what was drawn or edited on the map as the area of the question. */
  setAoi(geometry: Geometry | null): void {
    const { area } = this.#question.draft;
    if (geometry === null) this.#question.edit({ area: { kind: 'everywhere' } });
    else {
      const shape = this.#drawing ?? (area.kind === 'drawn' ? area.shape : 'polygon');
      this.#question.edit({ area: { kind: 'drawn', shape, geometry } });
    }
  }
}
