import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors/app-error.ts';
import type { PictureScene } from '../imagery/picture-scene.ts';
import type { DrawnFile } from './draw-file.ts';
import type { DrawingOrder, DrawingResult } from './draw.worker.ts';

/** Draws files beside the event loop. */
export interface Drawer {
  /** @throws AppError `internal` when drawing fails or the drawer is closed */
  draw(scene: PictureScene, file: DrawnFile): Promise<Uint8Array>;
  close(): Promise<void>;
}

interface Waiting {
  resolve: (bytes: Uint8Array) => void;
  reject: (error: AppError) => void;
}

/** A drawer with one thread, started with the first drawing. It doesn't keep the process alive. */
export function createDrawer(): Drawer {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let isClosed = false;
  let lastNumber = 0;

  function failAll(reason: string): void {
    worker = null;
    for (const { reject } of waiting.values()) reject(new AppError('internal', `Drawing failed: ${reason}`));
    waiting.clear();
  }

  function start(): Worker {
    const started = new Worker(new URL('./draw.worker.ts', import.meta.url));
    started.unref();
    started.on('message', (result: DrawingResult) => {
      const order = waiting.get(result.number);
      waiting.delete(result.number);
      if ('bytes' in result) order?.resolve(result.bytes);
      else order?.reject(new AppError('internal', `Drawing failed: ${result.reason}`));
    });
    started.on('error', (error) => {
      failAll(error instanceof Error ? error.message : String(error));
    });
    started.on('exit', () => {
      if (worker === started) failAll('the thread ended');
    });
    return started;
  }

  return {
    draw(scene, file) {
      if (isClosed) return Promise.reject(new AppError('internal', 'Drawing failed: closed'));
      worker ??= start();
      lastNumber += 1;
      const order: DrawingOrder = { number: lastNumber, scene, file };
      const drawn = new Promise<Uint8Array>((resolve, reject) =>
        waiting.set(order.number, { resolve, reject }),
      );
      worker.postMessage(order);
      return drawn;
    },
    async close() {
      isClosed = true;
      const ending = worker;
      failAll('closed');
      await ending?.terminate();
    },
  };
}
