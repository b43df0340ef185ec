import { parentPort } from 'node:worker_threads';
import type { AreaReadings } from '#shared/geo/area-reading.ts';
import { toAppError, type ErrorData } from '#shared/errors/app-error.ts';
import { readAreaText } from './read-area-text.ts';
import { readFile, type GivenFile } from './read-file.ts';

/** Something to be read. */
export type ReadingOrder = { number: number } & ({ text: string } | { file: GivenFile });

/** What was read, or why nothing was. */
export type ReadingResult = { number: number } & ({ readings: AreaReadings } | { error: ErrorData });

parentPort?.on('message', (order: ReadingOrder) => {
  const { number } = order;
  try {
    const readings = 'text' in order ? readAreaText(order.text) : readFile(order.file);
    parentPort?.postMessage({ number, readings } satisfies ReadingResult);
  } catch (thrown) {
    parentPort?.postMessage({ number, error: toAppError(thrown).toData() } satisfies ReadingResult);
  }
});
