import type { FoldOptions } from './column-writer.ts';

/** So long after a writing whole blocks are folded, in turns with what is written then. */
const delayMs = 200;
/** After so long without writing the rest is folded too. */
const idleMs = 2000;
/** How long the writing thread is kept from other work at once. */
const sliceMs = 40;

/** Has the columns written between other things, so that they are never far behind. */
export class ColumnFolding {
  readonly #fold: (options: FoldOptions) => Promise<boolean>;
  #timer: NodeJS.Timeout | null = null;
  #isRunning = false;
  #isClosed = false;
  #lastWritingMs = 0;

  /** `fold` works in the writing thread, and says whether nothing is left to do. */
  constructor(fold: (options: FoldOptions) => Promise<boolean>) {
    this.#fold = fold;
  }

  /** Something was written, or may have been before. */
  nudge(): void {
    this.#lastWritingMs = performance.now();
    if (!this.#timer && !this.#isRunning) this.#schedule(delayMs);
  }

  /** Brings the columns up to date now. */
  async finish(): Promise<void> {
    while (!this.#isClosed && !(await this.#fold({ maxMs: sliceMs, wholeBlocksOnly: false })));
  }

  /** Starts nothing more. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #schedule(waitMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#run(), waitMs).unref();
  }

  async #run(): Promise<void> {
    this.#timer = null;
    this.#isRunning = true;
    const sinceMs = this.#lastWritingMs;
    const isIdle = performance.now() - sinceMs >= idleMs;
    // What fails here is tried again after the next writing; until then the Items themselves are looked at.
    const isDone = await this.#fold({ maxMs: sliceMs, wholeBlocksOnly: !isIdle }).catch(() => true);
    this.#isRunning = false;
    const wasWritten = this.#lastWritingMs !== sinceMs;
    if (!isDone) this.#schedule(0);
    else if (wasWritten) this.#schedule(delayMs);
    else if (!isIdle) this.#schedule(idleMs);
  }
}
