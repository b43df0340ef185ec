import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '#shared/errors/app-error.ts';
import { toFileError } from '../../sqlite/open-sqlite.ts';
import { openDatabase } from '../open-database.ts';
import type { WorkWatch } from '../upkeep/work-watch.ts';
import { createWritingParts } from './writing-parts.ts';
import { writingTasks, type TaskOrder, type TaskReply, type WritingTask } from './writing-tasks.ts';

const { filePath } = workerData as { filePath: string };
const database = openDatabase(filePath);
const parts = createWritingParts(database);
let last = Promise.resolve();

parentPort?.on('message', (order: TaskOrder | 'close') => {
  last = last.then(() => (order === 'close' ? close() : perform(order)));
});

async function perform({ number, name, input, stop }: TaskOrder): Promise<void> {
  const watch: WorkWatch = {
    onProgress: (fraction) => reply({ number, fraction }),
    shouldStop: () => stop !== null && Atomics.load(stop, 0) !== 0,
  };
  try {
    // Input and task were held together by the types of the asking side.
    const perform = writingTasks[name] as WritingTask;
    const output: unknown = await perform(parts, input as never, watch);
    reply({ number, output });
  } catch (thrown) {
    if (database.inTransaction) database.exec('ROLLBACK');
    reply({ number, error: toAppError(toFileError(thrown, { filePath, name: 'library' })).toData() });
  }
}

function close(): void {
  database.close();
  parentPort?.close();
}

function reply(message: TaskReply): void {
  parentPort?.postMessage(message);
}
