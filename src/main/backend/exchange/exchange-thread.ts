import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors/app-error.ts';
import { tooLarge } from './exchange-error.ts';
import type { ExchangeJob, ExchangeOrder, ExchangeReply } from './exchange.worker.ts';
import { exchangeLimits } from './limits.ts';

interface ThreadOptions {
  job: ExchangeJob;
  onCount: (count: number) => void;
  signal: AbortSignal;
  /** Time without a word from the thread. */
  silentMs?: number;
}

/** A thread that writes or reads one file, with limits of memory and time. */
export class ExchangeThread {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;
  readonly #ended: Promise<void>;
  readonly #silentMs: number;
  readonly #replies: Exclude<ExchangeReply, { count: number }>[] = [];
  #failure: AppError | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wake: () => void = () => undefined;

  constructor({ job, onCount, signal, silentMs = exchangeLimits.silentMs }: ThreadOptions) {
    this.#signal = signal;
    this.#silentMs = silentMs;
    this.#worker = new Worker(new URL('./exchange.worker.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: exchangeLimits.heapMegabytes },
    });
    this.#worker.on('message', (reply: ExchangeReply) => {
      this.#watch();
      if (typeof reply === 'object' && 'count' in reply) onCount(reply.count);
      else this.#replies.push(reply);
      this.#wake();
    });
    this.#worker.on('error', (error) => this.#fail(describeEnd(error)));
    this.#ended = new Promise((resolve) =>
      this.#worker.once('exit', () => {
        clearTimeout(this.#timer);
        this.#fail(new AppError('internal', 'The thread for files ended early'));
        resolve();
      }),
    );
    signal.addEventListener('abort', this.#cancel, { once: true });
    if (signal.aborted) this.#cancel();
  }

  /** Tells the thread something, and waits for its next answer. @throws AppError as the thread, `cancelled` */
  async ask(order: ExchangeOrder): Promise<Exclude<ExchangeReply, { count: number } | { error: unknown }>> {
    this.#worker.postMessage(order);
    this.#watch();
    while (this.#replies.length === 0 && !this.#failure) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    // From here on it is the thread that waits.
    clearTimeout(this.#timer);
    const reply = this.#replies.shift();
    if (reply === undefined) throw this.#failure ?? new AppError('internal', 'No answer');
    if (typeof reply !== 'object' || !('error' in reply)) return reply;
    throw AppError.fromData(reply.error);
  }

  /** Ends the thread, whatever it does, after it had a moment to put its files away. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#cancel);
    this.#worker.postMessage('cancel' satisfies ExchangeOrder);
    const timer = setTimeout(() => void this.#worker.terminate(), 2000);
    await this.#ended;
    clearTimeout(timer);
  }

  readonly #cancel = (): void => {
    this.#worker.postMessage('cancel' satisfies ExchangeOrder);
    this.#fail(new AppError('cancelled', 'Nobody waits for this file any more'));
  };

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#fail(
        tooLarge({
          why: `Nothing came of it for ${String(this.#silentMs / 1000)} s.`,
          mend: 'Save fewer items in one file.',
        }),
      );
    }, this.#silentMs);
  }

  #fail(error: AppError): void {
    this.#failure ??= error;
    this.#wake();
  }
}

function describeEnd(error: unknown): AppError {
  if ((error as { code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') {
    return new AppError('internal', error instanceof Error ? error.message : 'The thread for files failed', {
      cause: error,
    });
  }
  return tooLarge({
    why: `It takes more than ${String(exchangeLimits.heapMegabytes)} MB of memory.`,
    mend: 'Save fewer items in one file, or with smaller row groups.',
  });
}
