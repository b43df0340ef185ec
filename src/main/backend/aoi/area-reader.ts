import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors/app-error.ts';
import type { AreaReadings } from '#shared/geo/area-reading.ts';
import { nameFile, tooLarge, unreadable } from './aoi-error.ts';
import { aoiLimits } from './limits.ts';
import type { GivenFile } from './read-file.ts';
import type { ReadingOrder, ReadingResult } from './read.worker.ts';

/** Reads areas beside the event loop, with limits of time and memory. */
export interface AreaReader {
  /** @throws AppError `aoi.unreadable`, `aoi.too-large`, `cancelled` */
  readText(text: string, signal?: AbortSignal): Promise<AreaReadings>;
  /** @throws AppError `aoi.unreadable`, `aoi.too-large`, `cancelled`; both name the file */
  readFile(file: GivenFile, signal?: AbortSignal): Promise<AreaReadings>;
  close(): Promise<void>;
}

interface AreaReaderOptions {
  /** Time for one reading. */
  readMs?: number;
  heapMegabytes?: number;
}

type Task = { text: string } | { file: GivenFile };

interface Waiting {
  task: Task;
  signal: AbortSignal | undefined;
  resolve: (readings: AreaReadings) => void;
  reject: (error: AppError) => void;
}

/** A reader with one thread, started with the first reading. A reading that takes too long or too much ends the thread. */
export function createAreaReader(options: AreaReaderOptions = {}): AreaReader {
  const { readMs = aoiLimits.readMs, heapMegabytes = aoiLimits.heapMegabytes } = options;
  const queue: Waiting[] = [];
  let current: Waiting | null = null;
  let worker: Worker | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastNumber = 0;

  function start(): Worker {
    const started = new Worker(new URL('./read.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    started.unref();
    started.on('message', (result: ReadingResult) => {
      if (result.number !== lastNumber) return;
      settle((waiting) => {
        if ('readings' in result) waiting.resolve(result.readings);
        else waiting.reject(AppError.fromData(result.error));
      });
    });
    started.on('error', (error) => {
      if (worker === started) giveUp(describeEnd(error, heapMegabytes));
    });
    return started;
  }

  function settle(answer: (waiting: Waiting) => void): void {
    clearTimeout(timer);
    const settled = current;
    current = null;
    if (settled) answer(settled);
    next();
  }

  function giveUp(error: AppError): void {
    const ended = worker;
    worker = null;
    void ended?.terminate();
    settle((waiting) => waiting.reject(error));
  }

  function next(): void {
    if (current) return;
    const waiting = queue.shift();
    if (!waiting) return;
    if (waiting.signal?.aborted) {
      waiting.reject(cancelled());
      next();
      return;
    }
    current = waiting;
    worker ??= start();
    lastNumber += 1;
    timer = setTimeout(() => {
      giveUp(
        tooLarge({
          why: `Reading it takes longer than ${String(readMs / 1000)} s.`,
          mend: 'Simplify the area in the program it is from.',
        }),
      );
    }, readMs);
    // The caller may be a window that no longer waits; what is read for nobody must not hold up the next.
    waiting.signal?.addEventListener('abort', () => current === waiting && giveUp(cancelled()), {
      once: true,
    });
    worker.postMessage({ number: lastNumber, ...waiting.task } satisfies ReadingOrder);
  }

  function read(task: Task, signal: AbortSignal | undefined): Promise<AreaReadings> {
    return new Promise((resolve, reject) => {
      queue.push({ task, signal, resolve, reject });
      next();
    });
  }

  return {
    readText: (text, signal) => read({ text }, signal),
    readFile: async (file, signal) => {
      try {
        return await read({ file }, signal);
      } catch (thrown) {
        throw thrown instanceof AppError ? nameFile(thrown, file.name) : thrown;
      }
    },
    close: async () => {
      for (const waiting of queue.splice(0)) waiting.reject(cancelled());
      const ended = worker;
      worker = null;
      clearTimeout(timer);
      current?.reject(cancelled());
      current = null;
      await ended?.terminate();
    },
  };
}

function describeEnd(error: unknown, heapMegabytes: number): AppError {
  if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return tooLarge({
      why: `Reading it takes more than ${String(heapMegabytes)} MB of memory.`,
      mend: 'Save only the area itself, or a simpler one.',
    });
  }
  return unreadable({ why: 'It could not be read.', mend: 'Save the area as GeoJSON.' });
}

function cancelled(): AppError {
  return new AppError('cancelled', 'Nobody waits for this reading any more');
}
