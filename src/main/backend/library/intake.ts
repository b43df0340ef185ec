import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { Kept } from './library.ts';

/** Items written in one task, so that the event loop is free again within a frame. */
const itemsPerSlice = 50;

/** A page of Items that is shown before it is written. */
export interface IntakePage {
  items: readonly IdentifiedItem[];
  fetchedAtMs: number;
  /** Called once all Items are in. What it throws is a failure too. */
  onKept(): void;
  /** Called instead, once, when something could not be written; some of the Items may be in. */
  onFailure(thrown: unknown): void;
}

interface WaitingPage extends IntakePage {
  writtenCount: number;
  /** By `toKey`; made when first needed. */
  byKey: Map<string, IdentifiedItem> | null;
  afterwards: (() => void)[];
  onDone: () => void;
}

/** Pages on their way into the library: written one after the other, slice by slice, others having their turn between. */
export class Intake {
  readonly #save: (items: readonly IdentifiedItem[], fetchedAtMs: number) => void;
  readonly #waiting: WaitingPage[] = [];
  #isRunning = false;

  constructor(save: (items: readonly IdentifiedItem[], fetchedAtMs: number) => void) {
    this.#save = save;
  }

  /** Takes a page in; resolves when it was written, or could not be. */
  add(page: IntakePage): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ ...page, writtenCount: 0, byKey: null, afterwards: [], onDone: resolve });
      if (!this.#isRunning) void this.#run();
    });
  }

  /** What waits of an Item, oldest first. */
  findWaiting(ref: ItemRef): Kept<IdentifiedItem>[] {
    return this.#waiting.flatMap((page) => {
      const value = findIn(page, ref);
      return value ? [{ value, fetchedAtMs: page.fetchedAtMs }] : [];
    });
  }

  /** Does something that needs the Item in the library: now, or as soon as it is there. */
  afterItem(ref: ItemRef, work: () => void): void {
    const page = this.#waiting.findLast((waiting) => findIn(waiting, ref));
    if (page) page.afterwards.push(work);
    else work();
  }

  /** Resolves when all that waits now was written. */
  async settle(): Promise<void> {
    const last = this.#waiting.at(-1);
    if (last) await new Promise<void>((resolve) => last.afterwards.push(resolve));
  }

  /** Writes all that waits, at once. */
  finish(): void {
    while (this.#waiting.length > 0) this.#step();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await yieldToOthers();
      this.#step();
    }
    this.#isRunning = false;
  }

  #step(): void {
    const page = this.#waiting[0];
    if (!page) return;
    const { items, fetchedAtMs, writtenCount } = page;
    try {
      if (writtenCount < items.length) {
        this.#save(items.slice(writtenCount, writtenCount + itemsPerSlice), fetchedAtMs);
        page.writtenCount += itemsPerSlice;
        return;
      }
      page.onKept();
    } catch (thrown) {
      page.onFailure(thrown);
    }
    this.#waiting.shift();
    page.onDone();
    for (const work of page.afterwards) work();
  }
}

function findIn(page: WaitingPage, ref: ItemRef): IdentifiedItem | undefined {
  page.byKey ??= new Map(page.items.map((one) => [toKey(one.ref), one]));
  return page.byKey.get(toKey(ref));
}

// Collection ids can't hold a line break in a URL; item ids may hold anything else.
function toKey({ collectionId, itemId }: ItemRef): string {
  return `${collectionId}\n${itemId}`;
}
