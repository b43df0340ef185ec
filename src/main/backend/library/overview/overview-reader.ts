import { Worker } from 'node:worker_threads';
import { AppError, type ErrorData } from '#shared/errors/app-error.ts';
import type { LibraryOverview } from './read-overview.ts';

/** What comes back from the thread. */
export type OverviewReply = { overview: LibraryOverview } | { error: ErrorData };

/** Reads what is in a library beside the event loop; who asks meanwhile gets the same answer. */
export class OverviewReader {
  readonly #filePath: string;
  #reading: Promise<LibraryOverview> | null = null;
  #worker: Worker | null = null;

  constructor(filePath: string) {
    this.#filePath = filePath;
  }

  /** @throws AppError `library.corrupt`, `internal` when the file can't be read, `cancelled` when the library closes */
  read(): Promise<LibraryOverview> {
    this.#reading ??= this.#start().finally(() => (this.#reading = null));
    return this.#reading;
  }

  /** Ends what is being read. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Promise<LibraryOverview> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./overview.worker.ts', import.meta.url), {
        workerData: this.#filePath,
      });
      this.#worker = worker;
      worker.unref();
      worker.on('message', (reply: OverviewReply) => {
        if ('error' in reply) reject(AppError.fromData(reply.error));
        else resolve(reply.overview);
      });
      worker.on('error', (cause) =>
        reject(new AppError('internal', 'The library could not be looked through', { cause })),
      );
      worker.on('exit', () => {
        this.#worker = null;
        reject(new AppError('cancelled', 'The library was closed'));
      });
    });
  }
}
