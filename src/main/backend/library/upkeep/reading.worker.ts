import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '#shared/errors/app-error.ts';
import { toFileError } from '../../sqlite/open-sqlite.ts';
import type { ReadingOrder, ReadingReply } from './read-beside.ts';
import { readingTasks, type ReadingWatch } from './reading-tasks.ts';
import { inVisibleSteps } from './work-watch.ts';

const { name, input, stop } = workerData as ReadingOrder;
let takeNext: () => void = () => undefined;

const watch: ReadingWatch = {
  onProgress: inVisibleSteps((fraction) => reply({ fraction })),
  shouldStop: () => Atomics.load(stop, 0) !== 0,
  give: (part) =>
    new Promise((resolve) => {
      takeNext = resolve;
      reply({ part });
    }),
};

parentPort?.on('message', () => takeNext());

try {
  const perform = readingTasks[name] as (given: unknown, watching: ReadingWatch) => unknown;
  reply({ output: await perform(input, watch) });
} catch (thrown) {
  const { filePath, sourcePath } = input as { filePath?: string; sourcePath?: string };
  const file = { filePath: filePath ?? sourcePath ?? '', name: 'library' };
  reply({ error: toAppError(toFileError(thrown, file)).toData() });
}
parentPort?.close();

function reply(message: ReadingReply): void {
  parentPort?.postMessage(message);
}
