import { Worker } from 'node:worker_threads';
import { AppError, toAppError, type ErrorData } from '#shared/errors/app-error.ts';
import type { FoundPart } from './read-damaged.ts';
import type { ReadingTasks } from './reading-tasks.ts';

/** What a thread is started with. */
export interface ReadingOrder {
  name: keyof ReadingTasks;
  input: unknown;
  /** One number; not zero once nobody wants the task done any more. */
  stop: Int32Array;
}

/** What comes back: how far it is, something found, and at the end the output or why there is none. */
export type ReadingReply =
  { fraction: number } | { part: FoundPart } | { output: unknown } | { error: ErrorData };

interface ReadingOptions {
  /** How much is done, from 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** The next part is read once this one was taken. */
  onPart?: (part: FoundPart) => Promise<void>;
  signal?: AbortSignal | undefined;
}

type Output<Name extends keyof ReadingTasks> = Awaited<ReturnType<ReadingTasks[Name]>>;

/**
 * Does long reading in a thread of its own, which ends with it.
 * @throws AppError as the task; `cancelled` when the signal aborts
 */
export function readBeside<Name extends keyof ReadingTasks>(
  name: Name,
  input: Parameters<ReadingTasks[Name]>[0],
  { onProgress, onPart, signal }: ReadingOptions = {},
): Promise<Output<Name>> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const workerData: ReadingOrder = { name, input, stop };
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./reading.worker.ts', import.meta.url), { workerData });
    const end = (): void => void Atomics.store(stop, 0, 1);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
    const fail = (thrown: unknown): void => {
      end();
      reject(toAppError(thrown));
    };
    worker.on('message', (reply: ReadingReply) => {
      if ('fraction' in reply) onProgress?.(reply.fraction);
      else if ('part' in reply) {
        (onPart?.(reply.part) ?? Promise.resolve())
          .then(() => worker.postMessage('next'))
          .catch((thrown: unknown) => {
            fail(thrown);
            void worker.terminate();
          });
      } else if ('error' in reply) reject(AppError.fromData(reply.error));
      else resolve(reply.output as Output<Name>);
    });
    worker.on('error', fail);
    worker.on('exit', () => {
      signal?.removeEventListener('abort', end);
      reject(new AppError('internal', 'The thread ended before its work'));
    });
  });
}
