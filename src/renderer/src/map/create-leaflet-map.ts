import type { Map as LeafletMap } from 'leaflet';
import { leaflet } from './leaflet.ts';

const HELP =
  'Arrow keys move the map, plus and minus zoom. Every footprint is also a row of the results list, where rows ' +
  'can be picked; ' +
  'what the map shows can be the area instead of a drawn one.';
const MAX_ZOOM = 14;
const START = { center: [35, 10] as [number, number], zoom: 2.5 };

let mapCount = 0;

/** A Leaflet map without layers of its own, with name, help and a place for hints that are read out. */
export function createLeafletMap(
  container: HTMLElement,
  { isReducedMotion, label }: { isReducedMotion: boolean; label: string },
): { map: LeafletMap; hint: HTMLElement } {
  const map = leaflet.map(container, {
    ...START,
    zoomControl: false,
    attributionControl: false,
    // Shift and drag picks footprints.
    boxZoom: false,
    maxZoom: MAX_ZOOM,
    // Far enough for anyone who goes around the world; only north and south are a limit.
    maxBounds: [
      [-85.06, -36000],
      [85.06, 36000],
    ],
    maxBoundsViscosity: 1,
    zoomSnap: 0.25,
    wheelPxPerZoomLevel: 100,
    keyboardPanDelta: 96,
    zoomAnimation: !isReducedMotion,
    fadeAnimation: false,
    inertia: !isReducedMotion,
  });
  keepWorldTallerThanView(map);
  map.on('resize', () => keepWorldTallerThanView(map));
  leaflet.control.scale({ imperial: false, maxWidth: 110, position: 'bottomleft' }).addTo(map);
  leaflet.control
    .attribution({ prefix: false, position: 'bottomright' })
    .addAttribution('Natural Earth, GeoNames')
    .addTo(map);

  const help = leaflet.DomUtil.create('p', 'map-help', container);
  help.id = `map-help-${++mapCount}`;
  help.textContent = HELP;
  const hint = leaflet.DomUtil.create('p', 'map-hint', container);
  hint.setAttribute('role', 'status');
  hint.hidden = true;
  container.classList.add('map-view');
  container.setAttribute('role', 'region');
  container.setAttribute('aria-label', label);
  container.setAttribute('aria-describedby', help.id);
  return { map, hint };
}

/** Nothing but map is ever in view. */
function keepWorldTallerThanView(map: LeafletMap): void {
  const { y: height } = map.getSize();
  if (height > 0) map.setMinZoom(Math.max(1, Math.ceil(Math.log2(height / 256) * 4) / 4));
}
