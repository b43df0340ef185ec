import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors/app-error.ts';
import type { HashOptions, HashResult } from './file-hash.ts';
import type { HashAnswer, HashOrder } from './hash.worker.ts';

/** One file being hashed beside the event loop. */
export interface HashJob {
  /**
   * Takes the next bytes of the file, in memory that threads share: handing it over and back costs nearly as much as
   * hashing what is in it. Resolves when it may be changed again.
   */
  hash(buffers: readonly Uint8Array[]): Promise<void>;
  /** @throws AppError `internal` when the thread has died, `cancelled` when it was dropped */
  end(): Promise<HashResult>;
  drop(): void;
}

/** Threads that hash, shared by all files. */
export interface HashPool {
  /** Starts a thread, if there is none: that takes longer than the first megabytes. */
  prepare(): void;
  begin(options: HashOptions): HashJob;
  /** Ends the threads; what is being hashed fails. */
  close(): Promise<void>;
}

interface Thread {
  worker: Worker;
  jobs: Map<number, { answer: (answer: HashAnswer) => void; fail: (error: AppError) => void }>;
}

// One hashes more than a fast disk takes; two are for what is slower than SHA-256, where processors are to spare.
const usualThreads = availableParallelism() > 2 ? 2 : 1;

/** A pool whose threads are started when they are needed, and never keep the process alive. */
export function createHashPool(mostThreads = usualThreads): HashPool {
  const threads: Thread[] = [];
  let lastId = 0;

  function start(): Thread {
    const worker = new Worker(new URL('./hash.worker.ts', import.meta.url));
    worker.unref();
    const thread: Thread = { worker, jobs: new Map() };
    worker.on('message', (answer: HashAnswer) => thread.jobs.get(answer.id)?.answer(answer));
    const fail = (cause?: unknown) => {
      const index = threads.indexOf(thread);
      if (index >= 0) threads.splice(index, 1);
      for (const job of [...thread.jobs.values()]) {
        job.fail(new AppError('internal', 'The thread that computes checksums has ended', { cause }));
      }
      thread.jobs.clear();
    };
    worker.on('error', fail);
    worker.on('exit', () => fail());
    threads.push(thread);
    return thread;
  }

  function leastBusy(): Thread {
    const idle = threads.find(({ jobs }) => jobs.size === 0);
    if (idle) return idle;
    if (threads.length < mostThreads) return start();
    return threads.reduce((best, thread) => (thread.jobs.size < best.jobs.size ? thread : best));
  }

  return {
    prepare() {
      if (threads.length === 0) start();
    },
    begin(options) {
      const thread = leastBusy();
      const id = (lastId += 1);
      /** Whoever waits for bytes that the thread has, in the order in which it takes them. */
      const hashing: (() => void)[] = [];
      const ended = Promise.withResolvers<HashResult>();
      ended.promise.catch(() => undefined);
      let isDropped = false;
      let isOver = false;
      const post = (order: HashOrder) => thread.worker.postMessage(order);
      const leaveWhenDone = () => {
        if (isOver || (isDropped && hashing.length === 0)) thread.jobs.delete(id);
      };
      thread.jobs.set(id, {
        answer(answer) {
          if ('digests' in answer) {
            isOver = true;
            ended.resolve({ digests: answer.digests, crcs: answer.crcs });
          } else hashing.shift()?.();
          leaveWhenDone();
        },
        fail(error) {
          isOver = true;
          ended.reject(error);
          for (const done of hashing.splice(0)) done();
        },
      });
      // A message costs as much as hashing some hundred kilobytes.
      let isToldHow = false;
      const postBytes = (buffers: readonly Uint8Array[]) => {
        post({ id, kind: 'bytes', buffers, ...(isToldHow ? {} : { options }) });
        isToldHow = true;
      };
      return {
        hash(buffers) {
          if (isOver) return Promise.resolve();
          const { promise, resolve } = Promise.withResolvers<undefined>();
          hashing.push(() => resolve(undefined));
          postBytes(buffers);
          return promise;
        },
        end() {
          if (isOver) return ended.promise;
          if (!isToldHow) postBytes([]);
          post({ id, kind: 'end' });
          return ended.promise;
        },
        drop() {
          isDropped = true;
          // Somebody may wait for what nobody will be told of any more.
          ended.reject(new AppError('cancelled', 'The check was stopped'));
          post({ id, kind: 'drop' });
          leaveWhenDone();
        },
      };
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
