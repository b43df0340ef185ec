import type { FoldOptions } from './columns/column-writer.ts';

/** So long after a writing whole blocks of the columns are written, in turns with what is written then. */
const delayMs = 200;
/** After so long without writing the rest is caught up with too. */
const idleMs = 2000;
/** How long the writing thread is kept from other work at once. */
const sliceMs = 40;

/** Has what Items are found by written between other things, so that it is never far behind them. */
export class CatchingUp {
  readonly #catchUp: (options: FoldOptions) => Promise<boolean>;
  #timer: NodeJS.Timeout | null = null;
  #isRunning = false;
  #isClosed = false;
  #lastWritingMs = 0;

  /** `catchUp` works in the writing thread, and says whether nothing is left to do. */
  constructor(catchUp: (options: FoldOptions) => Promise<boolean>) {
    this.#catchUp = catchUp;
  }

  /** Something was written, or may have been before. */
  nudge(): void {
    this.#lastWritingMs = performance.now();
    if (!this.#timer && !this.#isRunning) this.#schedule(delayMs);
  }

  /** Catches up with everything now. */
  async finish(): Promise<void> {
    while (!this.#isClosed && !(await this.#catchUp({ maxMs: sliceMs, wholeBlocksOnly: false })));
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
    const isDone = await this.#catchUp({ maxMs: sliceMs, wholeBlocksOnly: !isIdle }).catch(() => true);
    this.#isRunning = false;
    const wasWritten = this.#lastWritingMs !== sinceMs;
    if (!isDone) this.#schedule(0);
    else if (wasWritten) this.#schedule(delayMs);
    else if (!isIdle) this.#schedule(idleMs);
  }
}
