import { parentPort } from 'node:worker_threads';
import type { PictureScene } from '../imagery/picture-scene.ts';
import { drawFile, type DrawnFile } from './draw-file.ts';

/** One drawing to be made. */
export interface DrawingOrder {
  number: number;
  scene: PictureScene;
  file: DrawnFile;
}

/** The bytes of a drawing, or why there are none. */
export type DrawingResult =
  { number: number; bytes: Uint8Array<ArrayBuffer> } | { number: number; reason: string };

parentPort?.on('message', ({ number, scene, file }: DrawingOrder) => {
  try {
    const bytes = new Uint8Array(drawFile(scene, file));
    parentPort?.postMessage({ number, bytes } satisfies DrawingResult, [bytes.buffer]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ number, reason } satisfies DrawingResult);
  }
});
