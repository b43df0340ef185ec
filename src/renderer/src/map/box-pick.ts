import type { Map as LeafletMap, Point } from 'leaflet';
import { leaflet } from './leaflet.ts';
import type { WorldBox } from './footprint-set.ts';
import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';

/** What the tool tells the map. */
export interface BoxPickEvents {
  /** A box was drawn, in world units. */
  onBox(box: WorldBox): void;
  /** The tool was left with Escape. */
  onCancel(): void;
}

// A pointer that moves less than this between down and up has clicked.
const CLICK_PX = 4;

/**
 * Lets a person draw a box over footprints: with Shift by dragging, always; as a tool by dragging, or by clicking two
 * opposite corners (WCAG 2.5.7).
 */
export class BoxPick {
  readonly #map: LeafletMap;
  readonly #events: BoxPickEvents;
  readonly #frame: HTMLElement;
  readonly #isBlocked: () => boolean;
  #isTool = false;
  /** The first corner, in pixels of the map's element. */
  #corner: Point | null = null;
  #isDown = false;

  constructor(map: LeafletMap, options: { events: BoxPickEvents; isBlocked: () => boolean }) {
    this.#map = map;
    this.#events = options.events;
    this.#isBlocked = options.isBlocked;
    const container = map.getContainer();
    this.#frame = leaflet.DomUtil.create('div', 'map-pick-box', container);
    this.#frame.hidden = true;
    container.addEventListener('pointerdown', this.#press);
    container.addEventListener('pointermove', this.#move);
    container.addEventListener('pointerup', this.#release);
    container.addEventListener('pointercancel', this.#giveUp);
    document.addEventListener('keydown', this.#cancelOnEscape);
  }

  /** Whether the next click belongs to the tool. */
  get takesClicks(): boolean {
    return this.#isTool;
  }

  /** Takes the pointer for boxes, or gives it back. */
  setTool(isOn: boolean): void {
    if (isOn === this.#isTool) return;
    this.#isTool = isOn;
    this.#giveUp();
    this.#map.getContainer().classList.toggle('is-box-picking', isOn);
    if (isOn) {
      this.#map.dragging.disable();
      this.#map.getContainer().focus({ preventScroll: true });
    } else this.#map.dragging.enable();
  }

  /** Ends everything. */
  destroy(): void {
    const container = this.#map.getContainer();
    container.removeEventListener('pointerdown', this.#press);
    container.removeEventListener('pointermove', this.#move);
    container.removeEventListener('pointerup', this.#release);
    container.removeEventListener('pointercancel', this.#giveUp);
    document.removeEventListener('keydown', this.#cancelOnEscape);
    this.#frame.remove();
  }

  readonly #press = (event: PointerEvent): void => {
    if (event.button !== 0 || this.#isBlocked() || !(this.#isTool || event.shiftKey)) return;
    this.#isDown = true;
    this.#corner ??= this.#pointOf(event);
    this.#map.getContainer().setPointerCapture(event.pointerId);
  };

  readonly #move = (event: PointerEvent): void => {
    if (!this.#corner) return;
    const [from, to] = [this.#corner, this.#pointOf(event)];
    this.#frame.hidden = this.#isDown && !this.#isTool && from.distanceTo(to) < CLICK_PX;
    leaflet.DomUtil.setPosition(this.#frame, leaflet.point(Math.min(from.x, to.x), Math.min(from.y, to.y)));
    this.#frame.style.width = `${Math.abs(to.x - from.x)}px`;
    this.#frame.style.height = `${Math.abs(to.y - from.y)}px`;
  };

  readonly #release = (event: PointerEvent): void => {
    if (!this.#isDown || !this.#corner) return;
    this.#isDown = false;
    const [from, to] = [this.#corner, this.#pointOf(event)];
    if (from.distanceTo(to) < CLICK_PX) {
      // As a tool, this was the first corner; with Shift it is a click, which is not ours.
      if (!this.#isTool) this.#corner = null;
      return;
    }
    this.#giveUp();
    this.#swallowClick();
    this.#events.onBox(this.#toWorldBox(from, to));
  };

  readonly #giveUp = (): void => {
    this.#isDown = false;
    this.#corner = null;
    this.#frame.hidden = true;
    this.#frame.style.width = this.#frame.style.height = '0';
  };

  readonly #cancelOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !(this.#isTool || this.#corner)) return;
    event.preventDefault();
    if (this.#corner) this.#giveUp();
    else this.#events.onCancel();
  };

  /** The click that ends a drag is not one on what lies under it. It comes in this task, or not at all. */
  #swallowClick(): void {
    const container = this.#map.getContainer();
    const swallow = (event: Event): void => event.stopPropagation();
    container.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => container.removeEventListener('click', swallow, { capture: true }), 0);
  }

  #pointOf(event: PointerEvent): Point {
    return this.#map.mouseEventToContainerPoint(event);
  }

  #toWorldBox(from: Point, to: Point): WorldBox {
    const a = this.#map.containerPointToLatLng(from);
    const b = this.#map.containerPointToLatLng(to);
    const xs = [toWorldX(a.lng), toWorldX(b.lng)];
    const ys = [toWorldY(a.lat), toWorldY(b.lat)];
    return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
  }
}
