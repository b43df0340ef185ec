import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { toItemKey } from '#shared/stac/item-key.ts';
import { toAppError } from '#shared/errors/app-error.ts';
import type { IdentifiedItem, ItemRef } from '#shared/stac/item.ts';
import type { Kept } from './library.ts';
import { readPacked, type PackedSlice } from './packed-slice.ts';

/** Items made ready in one task, so that the event loop is free again within a frame. */
const itemsPerSlice = 50;

/**
 * Items written in one transaction where many wait: the more, the fewer pages of the file are written again and again.
 * Three times as many took 70 MB more and saved no time.
 */
const itemsPerCommit = 8000;

/** So many pages that came before those ahead of them were written are a stream, of which more is to be expected... */
const pagesOfStream = 20;

/** ...until none has come for so long: then what is gathered is written, though it isn't full. */
const gatherMs = 25;

/** A page of Items on its way. */
export interface IntakePage {
  items: readonly IdentifiedItem[];
  fetchedAtMs: number;
  /** Called once all Items are in, and waited for. What it throws is a failure too. */
  onKept(): void | Promise<void>;
  /** Called instead, once, when something could not be written; some of the Items may be in. */
  onFailure(thrown: unknown): void;
}

interface WaitingPage extends IntakePage {
  refs: readonly ItemRef[];
  /** Empty once all of them are packed: what waits long is kept small. */
  items: readonly IdentifiedItem[];
  slices: PackedSlice[];
  /** Where Items are, by `toItemKey`; made when first needed. */
  places: Map<string, number> | null;
  done: Promise<void>;
  resolve: () => void;
}

interface IntakeParts {
  /** Makes a slice ready for the writing thread, in this one. */
  pack: (items: readonly IdentifiedItem[], fetchedAtMs: number) => PackedSlice;
  /** Writes slices in one transaction. */
  commit: (slices: readonly PackedSlice[]) => Promise<void>;
}

/** Slices for one transaction. */
interface Batch {
  slices: PackedSlice[];
  itemCount: number;
  committed: Promise<unknown>;
  resolve: () => void;
  reject: (thrown: unknown) => void;
}

/**
 * Pages on their way into the library: made ready slice by slice, others having their turn between, while what was ready
 * before is written by another thread. Where many wait they are written together, because that costs less. None waits as
 * Items for long: packed they take a twentieth of the memory, and nothing in them has to be moved about by the garbage
 * collection.
 */
export class Intake {
  readonly #parts: IntakeParts;
  readonly #waiting: WaitingPage[] = [];
  readonly #queue: WaitingPage[] = [];
  /** Those that wait for the writing thread; all but the last are full. */
  readonly #batches: Batch[] = [];
  #isWriting = false;
  /** Pages that came one behind the other, each while some were still waiting. */
  #streamed = 0;
  #lastCameMs = 0;
  #isGathering = false;
  #finishing = Promise.resolve();
  #isRunning = false;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** Takes a page in; resolves when it was written, or could not be. */
  add(page: IntakePage): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const refs = page.items.map(({ ref }) => ref);
    const waiting: WaitingPage = {
      ...page,
      ...{ refs, slices: [], places: null, done: promise },
      resolve: () => resolve(undefined),
    };
    this.#streamed = this.#waiting.length === 0 ? 1 : this.#streamed + 1;
    this.#lastCameMs = performance.now();
    this.#waiting.push(waiting);
    this.#queue.push(waiting);
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  /** What waits of an Item, oldest first. */
  findWaiting(ref: ItemRef): Kept<IdentifiedItem>[] {
    return this.#waiting.flatMap((page) => {
      const value = readFrom(page, ref);
      return value ? [{ value, fetchedAtMs: page.fetchedAtMs }] : [];
    });
  }

  /** Resolves when what waits of an Item was written: at once where nothing does. */
  async settleItem(ref: ItemRef): Promise<void> {
    await this.#waiting.findLast((page) => findPlace(page, ref) !== undefined)?.done;
  }

  /** Resolves when all that waits now was written. */
  async settle(): Promise<void> {
    await this.#waiting.at(-1)?.done;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let page = this.#queue.shift(); page; page = this.#queue.shift()) {
      const { written } = await this.#pack(page);
      // How it ends is looked at in the page's turn, which may come later.
      written.catch(() => undefined);
      const ended = page;
      // In their order, though some fail.
      this.#finishing = this.#finishing
        .then(() => written)
        .then(() => ended.onKept())
        .catch((thrown: unknown) => ended.onFailure(thrown))
        .then(() => {
          this.#waiting.shift();
          ended.resolve();
        });
      if (this.#queue.length === 0) void this.#write();
    }
    this.#isRunning = false;
  }

  /** Makes a page ready; `written` is settled when all of it is committed. */
  async #pack(page: WaitingPage): Promise<{ written: Promise<unknown> }> {
    const { items, fetchedAtMs } = page;
    const batches = new Set<Batch>();
    try {
      for (let start = 0; start < items.length; start += itemsPerSlice) {
        await yieldToOthers();
        const slice = this.#parts.pack(items.slice(start, start + itemsPerSlice), fetchedAtMs);
        page.slices.push(slice);
        if (start + itemsPerSlice >= items.length) page.items = [];
        batches.add(this.#put(slice));
      }
    } catch (thrown) {
      return { written: Promise.reject(toAppError(thrown)) };
    }
    return { written: Promise.all([...batches].map(({ committed }) => committed)) };
  }

  #put(slice: PackedSlice): Batch {
    let batch = this.#batches.at(-1);
    if (!batch || isFull(batch)) this.#batches.push((batch = createBatch()));
    batch.slices.push(slice);
    batch.itemCount += slice.itemCount;
    if (isFull(batch)) void this.#write();
    return batch;
  }

  /** Has batch after batch written; one that isn't full waits for pages that are still being packed, or to be expected. */
  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    for (let [first] = this.#batches; first && this.#isDue(first); [first] = this.#batches) {
      this.#batches.shift();
      await this.#parts.commit(first.slices).then(first.resolve, first.reject);
    }
    this.#isWriting = false;
  }

  #endGathering(): void {
    this.#isGathering = false;
    void this.#write();
  }

  #isDue(batch: Batch): boolean {
    if (isFull(batch)) return true;
    if (this.#queue.length > 0) return false;
    const restMs = this.#lastCameMs + gatherMs - performance.now();
    if (this.#streamed < pagesOfStream || restMs <= 0) return true;
    if (!this.#isGathering) setTimeout(() => this.#endGathering(), restMs);
    this.#isGathering = true;
    return false;
  }
}

function isFull({ itemCount }: Batch): boolean {
  return itemCount >= itemsPerCommit;
}

function createBatch(): Batch {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  // A page that waits for it sees how it ends; one that ended in another way doesn't ask.
  promise.catch(() => undefined);
  return {
    slices: [],
    itemCount: 0,
    committed: promise,
    resolve: () => resolve(undefined),
    reject,
  };
}

function findPlace(page: WaitingPage, ref: ItemRef): number | undefined {
  page.places ??= new Map(page.refs.map((one, index) => [toItemKey(one), index]));
  return page.places.get(toItemKey(ref));
}

function readFrom(page: WaitingPage, ref: ItemRef): IdentifiedItem | undefined {
  const place = findPlace(page, ref);
  if (place === undefined) return undefined;
  const slice = page.slices[Math.floor(place / itemsPerSlice)];
  return page.items[place] ?? (slice && readPacked(slice, place % itemsPerSlice));
}
