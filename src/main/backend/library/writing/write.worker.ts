import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '#shared/errors/app-error.ts';
import { toFileError } from '../../sqlite/open-sqlite.ts';
import { openDatabase } from '../open-database.ts';
import { inVisibleSteps, type WorkWatch } from '../upkeep/work-watch.ts';
import { createWritingParts } from './writing-parts.ts';
import { writingTasks, type TaskOrder, type TaskReply, type WritingTask } from './writing-tasks.ts';

/**
 * Items come in no order of the indexes: with less of the file at hand, more pages are read and written again. Four times
 * as much saved no time, because the system has the file in memory as well.
 */
const cacheKibibytes = 32 * 1024;
/** Pages that wait in the write-ahead log, 160 MB: the longer, the more of them are written over before they are moved. */
const pagesInLog = 40_000;
/** After so long without a task, memory is given back and the log is emptied. */
const idleMs = 3000;

const { filePath } = workerData as { filePath: string };
const database = openDatabase(filePath);
database.pragma(`cache_size = ${-cacheKibibytes}`);
database.pragma(`wal_autocheckpoint = ${pagesInLog}`);
const parts = createWritingParts(database);
eraseForgotten('programs that ended');
const idle = setTimeout(rest, idleMs).unref();
let last = Promise.resolve();

parentPort?.on('message', (order: TaskOrder | 'close') => {
  last = last.then(() => (order === 'close' ? close() : perform(order)));
});

async function perform({ number, name, input, stop }: TaskOrder): Promise<void> {
  const watch: WorkWatch = {
    onProgress: inVisibleSteps((fraction) => reply({ number, fraction })),
    shouldStop: () => stop !== null && Atomics.load(stop, 0) !== 0,
  };
  try {
    // Input and task were held together by the types of the asking side.
    const perform = writingTasks[name] as WritingTask;
    // SQLite undoes a transaction by itself when the disk is full.
    if (parts.isTogether && !database.inTransaction && name !== 'undo') throw new Error('It was undone');
    const output: unknown = await perform(parts, input as never, watch);
    reply({ number, output });
  } catch (thrown) {
    if (database.inTransaction && !parts.isTogether) database.exec('ROLLBACK');
    reply({ number, error: toAppError(toFileError(thrown, { filePath, name: 'library' })).toData() });
  }
  idle.refresh();
}

function rest(): void {
  if (!database.open || database.inTransaction) return;
  try {
    database.pragma('wal_checkpoint(PASSIVE)');
    database.pragma('shrink_memory');
  } catch {
    // Nothing was asked for; the next task meets the same and says so.
  }
}

// What a person forgot can be taken back until then.
function eraseForgotten(by: Parameters<typeof parts.searches.eraseForgotten>[0]): void {
  try {
    parts.searches.eraseForgotten(by);
  } catch {
    // The next thread tries again.
  }
}

function close(): void {
  clearTimeout(idle);
  eraseForgotten('this program');
  database.close();
  parentPort?.close();
}

function reply(message: TaskReply): void {
  parentPort?.postMessage(message);
}
