import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors/app-error.ts';
import type { HashAnswer, HashOrder } from './hash.worker.ts';

/** How a file is hashed. */
export interface HashOptions {
  algorithms: readonly string[];
  chunkBytes: number;
  /** Whether the CRC-32 of each chunk is wanted as well. */
  hasCrcs: boolean;
}

/** Digests of a file by algorithm, in hex, and the CRC-32 of each of its chunks where they are wanted. */
export interface HashResult {
  digests: Readonly<Record<string, string>>;
  crcs: readonly number[];
}

/** One file being hashed beside the event loop. */
export interface HashJob {
  /**
   * Memory to be filled and given back by `hash`; waits until the thread is done with an earlier one. The thread sees it
   * as well: handing it over and back costs nearly as much as hashing what is in it.
   */
  takeBuffer(): Promise<SharedArrayBuffer>;
  /** Hands over the next bytes of the file. */
  hash(buffer: SharedArrayBuffer, lengthBytes: number): void;
  /** @throws AppError `internal` when the thread has died */
  end(): Promise<HashResult>;
  drop(): void;
}

/** Threads that hash, shared by all files. */
export interface HashPool {
  begin(options: HashOptions): HashJob;
  /** Ends the threads; what is being hashed fails. */
  close(): Promise<void>;
}

/** Bytes of a buffer. */
export const hashBufferBytes = 2 * 1024 * 1024;
const buffersOfJob = 2;
const mostSpareBuffers = 16;

interface Thread {
  worker: Worker;
  jobs: Map<number, { answer: (answer: HashAnswer) => void; fail: (error: AppError) => void }>;
}

/** A pool whose threads are started when they are needed, and never keep the process alive. */
export function createHashPool(mostThreads = 2): HashPool {
  const threads: Thread[] = [];
  const spare: SharedArrayBuffer[] = [];
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
    begin(options) {
      const thread = leastBusy();
      const id = (lastId += 1);
      const free: SharedArrayBuffer[] = [];
      /** Those that the thread hashes, in the order in which it does. */
      const hashing: SharedArrayBuffer[] = [];
      let made = 0;
      let wanted: { resolve: (buffer: SharedArrayBuffer) => void; reject: (error: AppError) => void } | null =
        null;
      let ended: { resolve: (result: HashResult) => void; reject: (error: AppError) => void } | null = null;
      let failure: AppError | null = null;
      const post = (order: HashOrder) => thread.worker.postMessage(order);
      const leave = () => {
        thread.jobs.delete(id);
        for (const buffer of free.splice(0)) if (spare.length < mostSpareBuffers) spare.push(buffer);
      };
      thread.jobs.set(id, {
        answer(answer) {
          if (!('digests' in answer)) {
            const buffer = hashing.shift();
            if (buffer === undefined) return;
            if (wanted === null) free.push(buffer);
            else wanted.resolve(buffer);
            wanted = null;
            return;
          }
          leave();
          ended?.resolve({ digests: answer.digests, crcs: answer.crcs });
        },
        fail(error) {
          failure = error;
          wanted?.reject(error);
          ended?.reject(error);
        },
      });
      post({ id, kind: 'begin', ...options });
      return {
        async takeBuffer() {
          if (failure !== null) throw failure;
          const buffer = free.pop();
          if (buffer !== undefined) return buffer;
          if (made < buffersOfJob) {
            made += 1;
            return spare.pop() ?? new SharedArrayBuffer(hashBufferBytes);
          }
          return new Promise((resolve, reject) => void (wanted = { resolve, reject }));
        },
        hash(buffer, lengthBytes) {
          hashing.push(buffer);
          post({ id, kind: 'bytes', buffer, lengthBytes });
        },
        end: () =>
          new Promise((resolve, reject) => {
            ended = { resolve, reject };
            if (failure === null) post({ id, kind: 'end' });
            else reject(failure);
          }),
        drop() {
          leave();
          post({ id, kind: 'drop' });
        },
      };
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
