import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { Kept } from './library.ts';

/** Items written in one task, so that the event loop is free again within a frame. */
const itemsPerSlice = 50;

/** A page of Items that is shown before it is written. */
export interface IntakePage {
  items: readonly IdentifiedItem[];
  fetchedAtMs: number;
  /** Called once all Items are in, and waited for. What it throws is a failure too. */
  onKept(): void | Promise<void>;
  /** Called instead, once, when something could not be written; some of the Items may be in. */
  onFailure(thrown: unknown): void;
}

interface WaitingPage extends IntakePage {
  /** By `toKey`; made when first needed. */
  byKey: Map<string, IdentifiedItem> | null;
  done: Promise<void>;
  resolve: () => void;
}

/** Writes a slice of a page; resolves when it is committed. */
type SaveSlice = (items: readonly IdentifiedItem[], fetchedAtMs: number) => Promise<void>;

/** Pages on their way into the library: written one after the other, slice by slice, others having their turn between. */
export class Intake {
  readonly #save: SaveSlice;
  readonly #waiting: WaitingPage[] = [];
  #isRunning = false;

  constructor(save: SaveSlice) {
    this.#save = save;
  }

  /** Takes a page in; resolves when it was written, or could not be. */
  add(page: IntakePage): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#waiting.push({ ...page, byKey: null, done: promise, resolve: () => resolve(undefined) });
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  /** What waits of an Item, oldest first. */
  findWaiting(ref: ItemRef): Kept<IdentifiedItem>[] {
    return this.#waiting.flatMap((page) => {
      const value = findIn(page, ref);
      return value ? [{ value, fetchedAtMs: page.fetchedAtMs }] : [];
    });
  }

  /** Resolves when what waits of an Item was written: at once where nothing does. */
  async settleItem(ref: ItemRef): Promise<void> {
    await this.#waiting.findLast((page) => findIn(page, ref))?.done;
  }

  /** Resolves when all that waits now was written. */
  async settle(): Promise<void> {
    await this.#waiting.at(-1)?.done;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let page = this.#waiting[0]; page; page = this.#waiting[0]) {
      try {
        await this.#write(page);
        await page.onKept();
      } catch (thrown) {
        page.onFailure(thrown);
      }
      this.#waiting.shift();
      page.resolve();
    }
    this.#isRunning = false;
  }

  async #write({ items, fetchedAtMs }: WaitingPage): Promise<void> {
    for (let start = 0; start < items.length; start += itemsPerSlice) {
      await yieldToOthers();
      await this.#save(items.slice(start, start + itemsPerSlice), fetchedAtMs);
    }
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
