import { parentPort } from 'node:worker_threads';
import { addCrcs } from './crc32.ts';
import { createHasher, type Hasher } from './hasher.ts';

/** What the thread is told of a file: how to hash it, its bytes in order, and that they have ended or don't count. */
export type HashOrder =
  | { id: number; kind: 'begin'; algorithms: readonly string[]; chunkBytes: number; hasCrcs: boolean }
  | { id: number; kind: 'bytes'; buffer: SharedArrayBuffer; lengthBytes: number }
  | { id: number; kind: 'end' | 'drop' };

/** The buffer that came first can be filled again, or the result. */
export type HashAnswer = { id: number } | { id: number; digests: Record<string, string>; crcs: number[] };

interface Job {
  hashers: ReadonlyMap<string, Hasher>;
  chunkBytes: number;
  hasCrcs: boolean;
  crcs: number[];
  positionBytes: number;
}

const jobs = new Map<number, Job>();

parentPort?.on('message', (order: HashOrder) => {
  switch (order.kind) {
    case 'begin': {
      const hashers = new Map(order.algorithms.map((name) => [name, createHasher(name)]));
      const { chunkBytes, hasCrcs } = order;
      jobs.set(order.id, { hashers, chunkBytes, hasCrcs, crcs: [], positionBytes: 0 });
      return;
    }
    case 'bytes': {
      const { id, buffer, lengthBytes } = order;
      const job = jobs.get(id);
      if (job) take(job, new Uint8Array(buffer, 0, lengthBytes));
      parentPort?.postMessage({ id } satisfies HashAnswer);
      return;
    }
    case 'end': {
      const job = jobs.get(order.id);
      jobs.delete(order.id);
      if (!job) return;
      const digests = Object.fromEntries(
        [...job.hashers].map(([name, hasher]) => [name, hasher.digestHex()]),
      );
      parentPort?.postMessage({ id: order.id, digests, crcs: job.crcs } satisfies HashAnswer);
      return;
    }
    case 'drop':
      jobs.delete(order.id);
  }
});

function take(job: Job, bytes: Uint8Array): void {
  for (const hasher of job.hashers.values()) hasher.update(bytes);
  if (job.hasCrcs) addCrcs(job.crcs, bytes, { start: job.positionBytes, chunkBytes: job.chunkBytes });
  job.positionBytes += bytes.length;
}
