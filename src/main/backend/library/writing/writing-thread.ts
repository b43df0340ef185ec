import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors/app-error.ts';
import type { TaskInput, TaskOrder, TaskOutput, TaskReply, WritingTasks } from './writing-tasks.ts';

/** How a task is followed and stopped. */
export interface TaskOptions {
  /** How much is done, from 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal | undefined;
}

interface Waiting {
  resolve: (output: unknown) => void;
  reject: (error: AppError) => void;
  onProgress: ((fraction: number) => void) | undefined;
  stopFollowing: () => void;
}

/**
 * The thread that owns the writing connection of a library. It starts with the first task and, should it end by itself,
 * again with the next one; what waited then fails. While nothing waits it doesn't keep the process alive.
 */
export class WritingThread {
  readonly #filePath: string;
  readonly #onEnd: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastNumber = 0;
  #isClosed = false;

  /** `onEnd` is called when the thread ended by itself: the next one knows nothing of what this one was told. */
  constructor(filePath: string, onEnd: () => void) {
    this.#filePath = filePath;
    this.#onEnd = onEnd;
  }

  /**
   * Does a task after all that were asked for before; resolves once it is committed.
   * @throws AppError as the task, `library.in-use`, `library.corrupt`, `cancelled`; `internal` when the thread ended
   */
  run<Name extends keyof WritingTasks>(
    name: Name,
    input: TaskInput<Name>,
    { onProgress, signal }: TaskOptions = {},
  ): Promise<TaskOutput<Name>> {
    if (this.#isClosed) return Promise.reject(new AppError('cancelled', 'The library is closed'));
    const stop = signal ? new Int32Array(new SharedArrayBuffer(4)) : null;
    const onAbort = () => stop && Atomics.store(stop, 0, 1);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    const number = ++this.#lastNumber;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, {
        resolve: resolve as (output: unknown) => void,
        reject,
        onProgress,
        stopFollowing: () => signal?.removeEventListener('abort', onAbort),
      });
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage({ number, name, input, stop } satisfies TaskOrder);
    });
  }

  /** Ends the thread once all tasks are done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage('close');
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./write.worker.ts', import.meta.url), {
      workerData: { filePath: this.#filePath },
    });
    worker.on('message', (reply: TaskReply) => this.#take(reply));
    worker.on('error', (thrown: unknown) => {
      if (this.#worker === worker) this.#failAll(thrown instanceof Error ? thrown.message : String(thrown));
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#failAll('it was closed');
    });
    return worker;
  }

  #take(reply: TaskReply): void {
    const waiting = this.#waiting.get(reply.number);
    if (!waiting) return;
    if ('fraction' in reply) {
      waiting.onProgress?.(reply.fraction);
      return;
    }
    this.#waiting.delete(reply.number);
    waiting.stopFollowing();
    // Who closes it waits for its end.
    if (this.#waiting.size === 0 && !this.#isClosed) this.#worker?.unref();
    if ('error' in reply) waiting.reject(AppError.fromData(reply.error));
    else waiting.resolve(reply.output);
  }

  #failAll(reason: string): void {
    this.#worker = null;
    this.#onEnd();
    const error = new AppError('internal', `The library's writing thread ended: ${reason}`, {
      retryable: true,
    });
    for (const { reject, stopFollowing } of this.#waiting.values()) {
      stopFollowing();
      reject(error);
    }
    this.#waiting.clear();
  }
}
