import type { Map as LeafletMap } from 'leaflet';
import { formatDegrees, graticuleLines, graticuleStep } from './graticule.ts';
import { leaflet } from './leaflet.ts';
import { wrapLongitude } from '#shared/geo/mercator.ts';

// So near to a corner, a label would lie on another one, or on the tools.
const CORNER_PX = 26;

/** Degrees at the edges of the map: longitudes along its top, latitudes along its right side. */
export class GraticuleLabels {
  readonly #map: LeafletMap;
  readonly #box: HTMLElement;
  #isShown = true;
  #frame: number | null = null;

  constructor(map: LeafletMap) {
    this.#map = map;
    this.#box = leaflet.DomUtil.create('div', 'map-degrees', map.getContainer());
    // The status bar reads out where the pointer is.
    this.#box.setAttribute('aria-hidden', 'true');
    map.on('move zoomend resize viewreset', this.#schedule);
    map.on('zoomstart', this.#hide);
    this.#schedule();
  }

  /** Shows them or not. */
  setShown(isShown: boolean): void {
    this.#isShown = isShown;
    this.#schedule();
  }

  /** Takes them off the map. */
  destroy(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#map.off('move zoomend resize viewreset', this.#schedule);
    this.#map.off('zoomstart', this.#hide);
    this.#box.remove();
  }

  readonly #hide = (): void => {
    this.#box.hidden = true;
  };

  readonly #schedule = (): void => {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#place();
    });
  };

  #place(): void {
    this.#box.hidden = !this.#isShown;
    if (!this.#isShown) return;
    const map = this.#map;
    const { x: width, y: height } = map.getSize();
    const bounds = map.getBounds();
    const step = graticuleStep(map.getZoom());
    const labels: { text: string; x: number; y: number; edge: 'top' | 'right' }[] = [];
    for (const longitude of graticuleLines(bounds.getWest(), bounds.getEast(), step)) {
      const { x } = map.latLngToContainerPoint([0, longitude]);
      if (x < CORNER_PX + 30 || x > width - CORNER_PX - 20) continue;
      labels.push({ text: formatDegrees(wrapLongitude(longitude), 'E', 'W'), x, y: 0, edge: 'top' });
    }
    for (const latitude of graticuleLines(bounds.getSouth(), bounds.getNorth(), step)) {
      const { y } = map.latLngToContainerPoint([latitude, bounds.getCenter().lng]);
      if (y < CORNER_PX || y > height - CORNER_PX - 10) continue;
      labels.push({ text: formatDegrees(latitude, 'N', 'S'), x: width, y, edge: 'right' });
    }
    this.#draw(labels);
  }

  #draw(labels: readonly { text: string; x: number; y: number; edge: 'top' | 'right' }[]): void {
    while (this.#box.children.length < labels.length) leaflet.DomUtil.create('span', '', this.#box);
    [...this.#box.children].forEach((element, i) => {
      const label = labels[i];
      if (!(element instanceof HTMLElement)) return;
      element.hidden = !label;
      if (!label) return;
      if (element.textContent !== label.text) element.textContent = label.text;
      element.className = label.edge;
      element.style.transform = `translate(${Math.round(label.x)}px, ${Math.round(label.y)}px)`;
    });
  }
}
