import type { Geometry, Polygon, Position } from 'geojson';
import type { Map as LeafletMap } from 'leaflet';
import {
  TerraDraw,
  TerraDrawPolygonMode,
  TerraDrawRectangleMode,
  TerraDrawSelectMode,
  type GeoJSONStoreFeatures,
} from 'terra-draw';
import { findCrossingOfLine } from '#shared/geo/find-crossing.ts';
import { DrawingAdapter } from './drawing-adapter.ts';
import type { MapTheme } from './map-theme.ts';
import { normaliseAoi } from './normalise-aoi.ts';

/** What can be drawn. */
export type DrawingShape = 'rectangle' | 'polygon';

/** What the tool tells the map. */
export interface DrawingEvents {
  /** An area was drawn or changed. */
  onArea(area: Geometry): void;
  /** The area being edited was deleted. */
  onDeleted(): void;
  /** Drawing ended, with or without an area. */
  onEnd(): void;
  /** The tool took or gave back the area that is otherwise drawn by the map. */
  onEditingChange(isEditing: boolean): void;
  /** What the person can do next; null for nothing. */
  onHint(text: string | null): void;
}

type Activity = 'idle' | DrawingShape | 'editing';

const HINTS = {
  rectangle: 'Drag a box, or click two opposite corners. Esc cancels.',
  polygon: 'Click corner by corner. Enter, double click or the first corner closes it; Esc cancels.',
  editing: 'Drag a corner to change the area. Esc ends, Delete removes it.',
  crossing: 'The outline can’t cross itself. Put the corner elsewhere, or Esc to start over.',
  empty: 'That has no area. Try again, or Esc to cancel.',
} as const;

// Handles react within this distance: 28 px across, more than the 24 px of WCAG 2.5.8.
const HANDLE_REACH_PX = 14;
// The click and double click that belong to the pointer-up which ended the drawing come within this time.
const AFTERMATH_MS = 400;

/** Draws and edits the area of interest. */
export class DrawingTool {
  readonly #map: LeafletMap;
  readonly #events: DrawingEvents;
  readonly #adapter: DrawingAdapter;
  readonly #draw: TerraDraw;
  #activity: Activity = 'idle';
  #endedAtMs = -Infinity;
  #zoomTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(map: LeafletMap, options: { events: DrawingEvents; themeOf: () => MapTheme }) {
    this.#map = map;
    this.#events = options.events;
    this.#adapter = new DrawingAdapter(map, options.themeOf);
    this.#draw = new TerraDraw({ adapter: this.#adapter, modes: this.#createModes() });
    this.#draw.on('finish', (id, { action }) => this.#takeResult(id, action === 'draw'));
    this.#draw.on('deselect', () => this.stopEditing());
    map.getContainer().addEventListener('keydown', this.#handleMapKey);
    map.getContainer().addEventListener('pointerdown', this.#capturePointer);
    document.addEventListener('keydown', this.#cancelOnEscape);
  }

  /** Whether a drawing is being made, or has just been: its clicks are not for what lies below. */
  get takesClicks(): boolean {
    return this.#isDrawing || performance.now() - this.#endedAtMs < AFTERMATH_MS;
  }

  get isEditing(): boolean {
    return this.#activity === 'editing';
  }

  get #isDrawing(): boolean {
    return this.#activity === 'rectangle' || this.#activity === 'polygon';
  }

  /** Begins to draw; what was being drawn or edited is given up. */
  start(shape: DrawingShape): void {
    this.#reset();
    this.#activity = shape;
    clearTimeout(this.#zoomTimer);
    this.#map.doubleClickZoom.disable();
    this.#draw.start();
    this.#draw.setMode(shape);
    this.#adapter.lockPan(shape === 'rectangle');
    this.#map.getContainer().focus({ preventScroll: true });
    this.#events.onHint(HINTS[shape]);
  }

  /** Gives up what is being drawn. */
  cancel(): void {
    if (!this.#isDrawing) return;
    this.#reset();
    this.#events.onEnd();
  }

  /** Shows handles on an area that is one simple ring; says whether it did. */
  edit(area: Geometry): boolean {
    if (this.#isDrawing || area.type !== 'Polygon' || area.coordinates.length !== 1) return false;
    this.#reset();
    this.#draw.start();
    const feature: GeoJSONStoreFeatures = {
      type: 'Feature',
      id: this.#draw.getFeatureId(),
      geometry: {
        type: 'Polygon',
        coordinates: area.coordinates.map((ring) => ring.map(([x = 0, y = 0]) => [x, y])),
      },
      properties: { mode: isUprightBox(area) ? 'rectangle' : 'polygon' },
    };
    const [added] = this.#draw.addFeatures([feature]);
    if (!added?.valid || feature.id === undefined) {
      this.#draw.stop();
      return false;
    }
    this.#beginEditing(feature.id);
    return true;
  }

  /** Takes the handles away; the area stays as it is. */
  stopEditing(): void {
    if (this.#activity === 'editing') this.#reset();
  }

  /** Draws again in the theme's new colours. */
  refreshTheme(): void {
    this.#adapter.requestPaint();
  }

  /** Ends everything. */
  destroy(): void {
    clearTimeout(this.#zoomTimer);
    this.#activity = 'idle';
    if (this.#draw.enabled) this.#draw.stop();
    this.#adapter.destroy();
    this.#map.getContainer().removeEventListener('keydown', this.#handleMapKey);
    this.#map.getContainer().removeEventListener('pointerdown', this.#capturePointer);
    document.removeEventListener('keydown', this.#cancelOnEscape);
  }

  #createModes(): [TerraDrawRectangleMode, TerraDrawPolygonMode, TerraDrawSelectMode] {
    const validation = (feature: GeoJSONStoreFeatures, { updateType }: { updateType: string }) =>
      this.#checkOutline(feature, updateType);
    const noKeys = { deselect: null, delete: null, rotate: null, scale: null };
    return [
      new TerraDrawRectangleMode({
        drawInteraction: 'click-move-or-drag',
        keyEvents: { cancel: null, finish: 'Enter' },
      }),
      new TerraDrawPolygonMode({
        pointerDistance: HANDLE_REACH_PX,
        keyEvents: { cancel: null, finish: 'Enter' },
        showCoordinatePoints: true,
        validation,
      }),
      new TerraDrawSelectMode({
        pointerDistance: HANDLE_REACH_PX,
        keyEvents: noKeys,
        flags: {
          rectangle: { feature: { draggable: false, coordinates: { resizable: 'opposite' } } },
          polygon: {
            feature: {
              draggable: false,
              validation,
              coordinates: { draggable: true, midpoints: { draggable: true }, deletable: true },
            },
          },
        },
      }),
    ];
  }

  /** Soft refusal: the corner isn't taken, and the hint says why. */
  #checkOutline(feature: GeoJSONStoreFeatures, updateType: string): { valid: boolean } {
    if (feature.geometry.type !== 'Polygon') return { valid: true };
    // While drawing, the ring's closing side and the side to the pointer are not decided yet.
    const isWhole = this.#activity === 'editing' || updateType === 'finish';
    if (!isWhole && updateType !== 'commit') return { valid: true };
    const ring = withoutRepeatedCorners(feature.geometry.coordinates[0] ?? []);
    const isCrossing = findCrossingOfLine(ring, { isClosed: isWhole }) !== null;
    if (isCrossing) this.#events.onHint(HINTS.crossing);
    else if (this.#isDrawing) this.#events.onHint(HINTS.polygon);
    return { valid: !isCrossing };
  }

  #takeResult(id: string | number, isDrawn: boolean): void {
    const geometry = this.#draw.getSnapshotFeature(id)?.geometry;
    const area = geometry?.type === 'Polygon' ? normaliseAoi(geometry.coordinates[0] ?? []) : null;
    this.#endedAtMs = performance.now();
    if (area && !isDrawn) {
      this.#events.onHint(HINTS.editing);
      this.#events.onArea(area);
    } else if (area) {
      this.#beginEditing(id);
      this.#events.onArea(area);
      this.#events.onEnd();
    } else if (isDrawn) {
      this.#draw.removeFeatures([id]);
      this.#events.onHint(HINTS.empty);
    }
  }

  #beginEditing(id: string | number): void {
    this.#activity = 'editing';
    this.#adapter.lockPan(false);
    this.#draw.setMode('select');
    this.#draw.selectFeature(id);
    this.#events.onEditingChange(true);
    this.#events.onHint(HINTS.editing);
    this.#allowZoomSoon();
  }

  #reset(): void {
    const wasEditing = this.isEditing;
    if (this.#isDrawing) this.#endedAtMs = performance.now();
    this.#activity = 'idle';
    if (this.#draw.enabled) this.#draw.stop();
    this.#adapter.lockPan(false);
    this.#map.getContainer().style.removeProperty('cursor');
    this.#allowZoomSoon();
    this.#events.onHint(null);
    if (wasEditing) this.#events.onEditingChange(false);
  }

  #allowZoomSoon(): void {
    clearTimeout(this.#zoomTimer);
    this.#zoomTimer = setTimeout(() => {
      this.#map.doubleClickZoom.enable();
    }, AFTERMATH_MS);
  }

  /** A drag that ends outside the map, or over what floats on it, still ends. */
  readonly #capturePointer = (event: PointerEvent): void => {
    if (this.#activity !== 'idle' && event.button === 0 && event.target instanceof Element) {
      this.#map.getContainer().setPointerCapture(event.pointerId);
    }
  };

  readonly #handleMapKey = (event: KeyboardEvent): void => {
    if (this.#activity !== 'editing') return;
    if (event.key === 'Escape') this.stopEditing();
    else if (event.key === 'Delete') {
      this.#reset();
      this.#events.onDeleted();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Wherever the focus went: a drawing that can't be left is a trap. */
  readonly #cancelOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !this.#isDrawing) return;
    event.preventDefault();
    this.cancel();
  };
}

/** While drawing, the corner under the pointer stands twice, and the first one at both ends. */
function withoutRepeatedCorners(ring: readonly Position[]): Position[] {
  const open = ring.slice(0, -1);
  return open.filter(([x, y], i) => i === 0 || x !== open[i - 1]?.[0] || y !== open[i - 1]?.[1]);
}

function isUprightBox({ coordinates: [ring = []] }: Polygon): boolean {
  const xs = new Set(ring.map(([x]) => x));
  const ys = new Set(ring.map(([, y]) => y));
  return ring.length === 5 && xs.size === 2 && ys.size === 2;
}
