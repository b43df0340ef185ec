import type { Geometry } from 'geojson';
import type { LeafletMouseEvent, Map as LeafletMap } from 'leaflet';
import type { Bbox } from '#shared/stac/bbox.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import { AreaShape } from './area-shape.ts';
import { BoxPick } from './box-pick.ts';
import { Basemap } from './basemap.ts';
import { createLeafletMap } from './create-leaflet-map.ts';
import { DrawingTool, type DrawingShape } from './drawing-tool.ts';
import { FootprintLayer } from './footprint-layer.ts';
import type { MapEvents } from './map-events.ts';
import { readMapTheme, type MapTheme } from './map-theme.ts';
import { toWorldX, toWorldY, worldSizePx, wrapLongitude } from '#shared/geo/mercator.ts';
import type { OwnBasemap } from './own-basemap.ts';
import type { PictureSource } from './picture-store.ts';
import { PointerReport } from './pointer-report.ts';
import { toViewBbox } from './view-bbox.ts';
import './map.css';

/** Settings of a map that don't change during its life. */
export interface MapViewOptions {
  isReducedMotion: boolean;
  /** The accessible name of the map. */
  label: string;
}

// Pointing this close to something hits it.
const REACH_PX = 5;
const MAX_FIT_ZOOM = 11;
// What has no size is brought into view with enough around it to see where it is.
const POINT_FIT_ZOOM = 8.5;
const POINT_DEGREES = 0.002;
const HINT_MS = 4000;
const PICK_HINT = 'Drag a box over footprints to pick them, or click two opposite corners. Esc ends.';

/** The map: footprints and area of interest in, events out. Nothing of Leaflet shows. */
export class MapView {
  readonly #map: LeafletMap;
  readonly #events: MapEvents;
  readonly #basemap: Basemap;
  readonly #footprints: FootprintLayer;
  readonly #drawing: DrawingTool;
  readonly #boxPick: BoxPick;
  readonly #pointer: PointerReport;
  readonly #resizeObserver: ResizeObserver;
  readonly #darkness = matchMedia('(prefers-color-scheme: dark)');
  readonly #hint: HTMLElement;
  #theme: MapTheme;
  #area: AreaShape | null = null;
  #isGivingRoom = false;
  #isZooming = false;
  #fitAfterZoom: (() => void) | null = null;
  #hoveredCount = 0;
  #themeRequest: number | null = null;
  #hintTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(container: HTMLElement, events: MapEvents, options: MapViewOptions) {
    const { map, hint } = createLeafletMap(container, options);
    this.#map = map;
    this.#hint = hint;
    this.#events = events;
    this.#theme = readMapTheme(container);
    const themeOf = (): MapTheme => this.#theme;
    this.#basemap = new Basemap(map, themeOf);
    this.#footprints = new FootprintLayer(map, {
      themeOf,
      areaOf: () => (this.#drawing.isEditing ? null : this.#area),
    });
    this.#drawing = new DrawingTool(map, {
      themeOf,
      events: {
        onArea: (area) => this.#takeArea(area),
        onDeleted: () => this.#takeArea(null),
        onEnd: () => events.onDrawingEnd(),
        onEditingChange: () => this.#footprints.requestOverlayPaint(),
        onHint: (text) => this.#showHint(text),
      },
    });
    this.#boxPick = new BoxPick(map, {
      events: {
        onBox: (box) => events.onBox(this.#footprints.findMeeting(box)),
        onCancel: () => events.onBoxCancel(),
      },
      isBlocked: () => this.#drawing.takesClicks,
    });
    this.#pointer = new PointerReport(map, (position) => this.#point(position));
    map.on('click', this.#click);
    map.on('zoomanim', () => (this.#isZooming = true));
    map.on('zoomend', this.#endZoom);
    map.on('movestart zoomstart', () => events.onMoveStart());
    map.on('moveend', this.#reportMove);
    this.#resizeObserver = new ResizeObserver(this.#fitContainer);
    this.#resizeObserver.observe(container);
    this.#darkness.addEventListener('change', this.#followSystemTheme);
    this.#reportMove();
  }

  /** Replaces all footprints. The same array and colours are no work. */
  setFootprints(rows: readonly ItemRow[], colourOf: (collectionId: string) => string): void {
    this.#footprints.setRows(rows, colourOf);
  }

  /** Shows pictures within the footprints; null for none. */
  setPictures(source: PictureSource | null): void {
    this.#footprints.setPictures(source);
  }

  /** Emphasises one footprint, the one hovered in the list. */
  setHighlighted(ref: ItemRef | null): void {
    this.#footprints.setHighlighted(ref);
  }

  /** Draws these footprints as chosen. */
  setSelected(refs: readonly ItemRef[]): void {
    this.#footprints.setSelected(refs);
  }

  /** Draws these footprints as picked. */
  setPicked(refs: readonly ItemRef[]): void {
    this.#footprints.setPicked(refs);
  }

  /** Takes the pointer for boxes that pick, or gives it back. */
  setBoxPicking(isOn: boolean): void {
    this.#footprints.setHovered(null);
    this.#boxPick.setTool(isOn);
    this.#showHint(isOn ? PICK_HINT : null);
  }

  /** Says something at the foot of the map for a while, to screen readers too. */
  announce(text: string): void {
    this.#showHint(text);
    clearTimeout(this.#hintTimer);
    this.#hintTimer = setTimeout(() => this.#showHint(null), HINT_MS);
  }

  /** Gives the focus to the map. */
  focus(): void {
    this.#map.getContainer().focus({ preventScroll: true });
  }

  /** Shows the tiles of a person's own basemap; null for the bundled one alone. */
  setBasemap(basemap: OwnBasemap | null): void {
    this.#basemap.showTiles(basemap);
  }

  /** Shows lines of longitude and latitude, or not. */
  setGraticule(isShown: boolean): void {
    this.#basemap.setGraticule(isShown);
  }

  /** Shows the area of interest. An area that came from this map and comes back keeps its handles. */
  setAoi(aoi: Geometry | null): void {
    if (aoi === this.#area?.geometry || JSON.stringify(aoi) === JSON.stringify(this.#area?.geometry ?? null))
      return;
    this.#drawing.stopEditing();
    this.#area = aoi && new AreaShape(aoi);
    this.#footprints.requestOverlayPaint();
  }

  /** Lets the person draw; ends with `onDrawingEnd`. */
  startDrawing(shape: DrawingShape): void {
    this.#footprints.setHovered(null);
    this.#drawing.start(shape);
  }

  /** Gives up what is being drawn. */
  cancelDrawing(): void {
    this.#drawing.cancel();
  }

  /** What is in view, within -180..180; west > east across the antimeridian. */
  currentView(): Bbox {
    const bounds = this.#map.getBounds();
    return toViewBbox({
      west: bounds.getWest(),
      south: bounds.getSouth(),
      east: bounds.getEast(),
      north: bounds.getNorth(),
    });
  }

  /** Brings a box into view, with some room around it; going closer only when asked to. */
  fitTo([west, south, east, north]: Bbox, { mayZoomIn }: { mayZoomIn: boolean }): void {
    const right = west > east ? east + 360 : east;
    const isPoint = Math.max(right - west, north - south) < POINT_DEGREES;
    const closest = isPoint ? POINT_FIT_ZOOM : MAX_FIT_ZOOM;
    const fit = (): void => {
      this.#map.fitBounds(
        [
          [south, west],
          [north, right],
        ],
        { padding: [48, 48], maxZoom: mayZoomIn ? closest : this.#map.getZoom() },
      );
    };
    // While it zooms, Leaflet takes no other place and says nothing (1.9): what was asked for last comes after that.
    this.#fitAfterZoom = this.#isZooming ? fit : null;
    if (!this.#isZooming) fit();
  }

  /** One level closer. */
  zoomIn(): void {
    this.#map.zoomIn();
  }

  /** One level further away. */
  zoomOut(): void {
    this.#map.zoomOut();
  }

  /** Reads the colours again; call it when the theme changed. The page may take it on later in the same frame. */
  refreshTheme(): void {
    this.#themeRequest ??= requestAnimationFrame(() => {
      this.#themeRequest = null;
      this.#theme = readMapTheme(this.#map.getContainer());
      this.#basemap.refreshTheme();
      this.#footprints.refreshTheme();
      this.#drawing.refreshTheme();
    });
  }

  /** Takes the map out of its container and forgets everything. */
  destroy(): void {
    if (this.#themeRequest !== null) cancelAnimationFrame(this.#themeRequest);
    this.#darkness.removeEventListener('change', this.#followSystemTheme);
    this.#resizeObserver.disconnect();
    clearTimeout(this.#hintTimer);
    this.#pointer.destroy();
    this.#boxPick.destroy();
    this.#drawing.destroy();
    this.#footprints.destroy();
    this.#basemap.destroy();
    this.#map.remove();
    // Leaflet's timer that ends a zoom animation outlives the map, and finds no pane to place (Leaflet 1.9).
    Object.assign(this.#map, { _animatingZoom: false });
  }

  #takeArea(area: Geometry | null): void {
    this.#area = area && new AreaShape(area);
    this.#footprints.requestOverlayPaint();
    this.#events.onAoi(area);
  }

  /** The pointer is here now, or has left; at most once a frame. */
  #point(position: { longitude: number; latitude: number } | null): void {
    this.#events.onCursor(position && { ...position, longitude: wrapLongitude(position.longitude) });
    const isFree = position !== null && !this.#drawing.takesClicks && !this.#boxPick.takesClicks;
    const rows = isFree ? this.#findAt(position) : [];
    const isOther = this.#footprints.setHovered(rows[0] ?? null);
    if (isOther || rows.length !== this.#hoveredCount) this.#events.onHover(rows[0] ?? null, rows.length);
    this.#hoveredCount = rows.length;
    const isOnOutline = isFree && this.#isOnOutline(position);
    this.#map.getContainer().classList.toggle('is-pointing', isOnOutline || rows.length > 0);
  }

  readonly #click = ({ latlng, containerPoint, originalEvent }: LeafletMouseEvent): void => {
    if (this.#drawing.takesClicks || this.#boxPick.takesClicks) return;
    const position = { longitude: latlng.wrap().lng, latitude: latlng.lat };
    const { ctrlKey, metaKey, shiftKey } = originalEvent;
    const isPicking = ctrlKey || metaKey || shiftKey;
    const mayEdit = !isPicking && this.#area !== null && this.#isOnOutline(position);
    if (mayEdit && this.#area && this.#drawing.edit(this.#area.geometry)) return;
    this.#events.onClick(this.#findAt(position), { x: containerPoint.x, y: containerPoint.y, isPicking });
  };

  readonly #reportMove = (): void => {
    if (!this.#isGivingRoom) this.#events.onMove(this.currentView());
  };

  readonly #endZoom = (): void => {
    this.#isZooming = false;
    this.#fitAfterZoom?.();
    this.#fitAfterZoom = null;
  };

  // A map that gives room to something else shows less, and nobody meant less by it.
  readonly #fitContainer = (): void => {
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const { x: width, y: height } = this.#map.getSize();
    this.#isGivingRoom = clientWidth <= width && clientHeight <= height;
    this.#map.invalidateSize({ animate: false });
    this.#isGivingRoom = false;
  };

  readonly #followSystemTheme = (): void => this.refreshTheme();

  #findAt({ longitude, latitude }: { longitude: number; latitude: number }): ItemRow[] {
    const x = toWorldX(wrapLongitude(longitude));
    return this.#footprints.findAt(x, toWorldY(latitude), this.#toWorld(REACH_PX));
  }

  #isOnOutline(position: { longitude: number; latitude: number }): boolean {
    if (!this.#area || this.#drawing.isEditing) return false;
    const longitude = wrapLongitude(position.longitude);
    return this.#area.isOnOutline({ ...position, longitude }, this.#toWorld(REACH_PX));
  }

  #toWorld(distancePx: number): number {
    return distancePx / worldSizePx(this.#map.getZoom());
  }

  #showHint(text: string | null): void {
    clearTimeout(this.#hintTimer);
    this.#hint.textContent = text ?? '';
    this.#hint.hidden = text === null;
  }
}
