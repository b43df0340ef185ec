import Sqlite, { type Database } from 'better-sqlite3';
import { AppError } from '#shared/errors/app-error.ts';
import { toFileError } from '../../sqlite/open-sqlite.ts';
import { createAnswerStore, type AnswerStore } from './answer-store.ts';
import { createLazyWrites, type LazyWrites } from './lazy-writes.ts';
import { systemDisk, type Disk } from '../file/disk.ts';
import { createDestinationStore, type DestinationStore } from './destination-store.ts';
import { createHistoryStore, type HistoryStore } from './history-store.ts';
import { openQueueFile } from './open-queue-file.ts';
import { createOrderStore, type OrderStore } from './order-store.ts';
import { createPartStore, type PartStore } from './part-store.ts';
import { createQueueContents, type QueueContents } from './queue-contents.ts';
import { createQueueFacts, type QueueFacts } from './queue-facts.ts';
import { createQueueTotals, type QueueTotals } from './queue-totals.ts';
import { createRankStore, type RankStore } from './rank-store.ts';
import { createRoomWaits, type RoomWaits } from './room-waits.ts';
import { createRunnableStore, type RunnableStore } from './runnable-store.ts';
import { createTransferStore, type TransferStore } from './transfer-store.ts';

/** The queue's file, opened for this process alone. */
export interface QueueFile {
  transfers: TransferStore;
  orders: OrderStore;
  destinations: DestinationStore;
  ranks: RankStore;
  history: HistoryStore;
  facts: QueueFacts;
  answers: AnswerStore;
  totals: QueueTotals;
  contents: QueueContents;
  parts: PartStore;
  roomWaits: RoomWaits;
  runnable: RunnableStore;
  /** Whether the process that had it open before closed it. */
  wasClosed: boolean;
  /** Changes that a power cut may take back until they are settled. */
  lazy: LazyWrites;
  /** Rows written since it was opened. */
  changeCount(): number;
  /**
   * Writes a copy of the file, piece by piece, while it is worked on.
   * @throws AppError `library.corrupt` when what came of it is damaged, as the file is then
   */
  copyTo(filePath: string): Promise<void>;
  /** The file was found damaged: it counts as not closed, so that the next process looks through it. */
  noteDamage(): void;
  close(): void;
}

// Some 400 kB at once, so that the event loop is free again within a frame.
const pagesPerPiece = 100;

/**
 * Opens the queue in a file, made if it isn't there. One that was not closed well is looked through first.
 * @throws AppError `library.newer-schema`, `library.corrupt`, `library.in-use`
 */
export function openQueue(filePath: string, disk: Disk = systemDisk): QueueFile {
  const database = openQueueFile(filePath);
  const facts = createQueueFacts(database);
  const orders = createOrderStore(database);
  let wasClosed: boolean;
  try {
    wasClosed = !facts.read('isOpen');
    if (!wasClosed) checkHealth(database);
    orders.discardAll();
    facts.write('isOpen', true);
  } catch (thrown) {
    database.close();
    throw toFileError(thrown, { filePath, name: 'download queue' });
  }
  const lazy = createLazyWrites(database, disk);
  let isDamaged = false;
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  return {
    transfers: createTransferStore(database),
    orders,
    destinations: createDestinationStore(database),
    ranks: createRankStore(database),
    history: createHistoryStore(database),
    facts,
    answers: createAnswerStore(database),
    totals: createQueueTotals(database),
    contents: createQueueContents(database),
    parts: createPartStore(database),
    roomWaits: createRoomWaits(database),
    runnable: createRunnableStore(database),
    wasClosed,
    lazy,
    changeCount: () => changes.get() ?? 0,
    copyTo: async (path) => {
      await database.backup(path, { progress: () => pagesPerPiece });
      // Pages are copied as they are, good or bad.
      checkCopy(path);
    },
    noteDamage: () => void (isDamaged = true),
    close() {
      try {
        if (!isDamaged) facts.write('isOpen', false);
      } catch {
        // A disk that is full, or gone: then it is looked at the next time.
      }
      lazy.close();
      database.close();
    },
  };
}

function checkCopy(filePath: string): void {
  const copy = new Sqlite(filePath, { readonly: true });
  try {
    checkHealth(copy);
  } catch (thrown) {
    throw toFileError(thrown, { filePath, name: 'copy of the download queue' });
  } finally {
    copy.close();
  }
}

function checkHealth(database: Database): void {
  const finding = database.pragma('quick_check(1)', { simple: true });
  if (finding === 'ok') return;
  throw new AppError('library.corrupt', `${database.name} is damaged: ${String(finding)}`, {
    details: { file: database.name },
  });
}
