import { parentPort } from 'node:worker_threads';
import { createFileHash, type FileHash, type HashOptions, type HashResult } from './file-hash.ts';

/** What the thread is told of a file: its bytes in order, the first with how to hash it; that they have ended, or don't count. */
export type HashOrder =
  | { id: number; kind: 'bytes'; buffers: readonly Uint8Array[]; options?: HashOptions }
  | { id: number; kind: 'end' | 'drop' };

/** The bytes that came first are done with, or the result. */
export type HashAnswer = { id: number } | ({ id: number } & HashResult);

const files = new Map<number, FileHash>();

parentPort?.on('message', (order: HashOrder) => {
  const { id, kind } = order;
  switch (kind) {
    case 'bytes':
      if (order.options) files.set(id, createFileHash(order.options));
      for (const bytes of order.buffers) files.get(id)?.take(bytes);
      parentPort?.postMessage({ id } satisfies HashAnswer);
      return;
    case 'end': {
      const file = files.get(id);
      files.delete(id);
      if (file) parentPort?.postMessage({ id, ...file.result() } satisfies HashAnswer);
      return;
    }
    case 'drop':
      files.delete(id);
  }
});
