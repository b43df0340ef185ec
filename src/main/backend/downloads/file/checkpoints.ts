import type { Clock } from '../../ports.ts';
import { createCheckpointPace } from './checkpoint-pace.ts';
import type { Durable } from './chunk.ts';
import type { WriteQueue } from './write-queue.ts';
import type { WrittenMap } from './written-map.ts';

/**
 * The journal: told only of what is synced, or before that becomes less. Resolves when it is written down, which may take
 * some time where it need not be `atOnce`.
 */
export type Journal = (durable: Durable, options: { atOnce: boolean }) => void | Promise<void>;

/** Brings what a part file has to the disk, and then into the journal (downloads.md b.3); one at a time. */
export interface Checkpoints {
  /** Bytes that the journal knows to be on disk. */
  readonly durableBytes: number;
  /** What keeps anything more from becoming durable, as it was thrown; null while nothing does. */
  readonly failure: { error: unknown } | null;
  noteTaken(bytes: number): void;
  noteWritten(bytes: number): void;
  /** Begins one where it is time, without waiting for it. */
  beginWhenDue(): void;
  /** Where more was taken than a crash may cost: resolves when enough of it is durable. Else null. */
  catchUp(): Promise<void> | null;
  /** Makes one now, of all that is written. Throws what the disk and the journal do. */
  make(): Promise<void>;
  /** Resolves when none is under way. */
  settle(): Promise<void>;
  /** Before a part file is cut back to a length: the journal may know too little, never too much. */
  forgetBeyond(lengthBytes: number): Promise<void>;
  /** Nobody has to catch up any more. */
  close(): void;
}

/** The checkpoints of a part file that was opened now, `durableBytes` of which the journal knows. */
export function createCheckpoints(parts: {
  written: WrittenMap;
  queue: Pick<WriteQueue, 'flush' | 'drain'>;
  sync: () => Promise<void>;
  onDurable: Journal;
  clock: Clock;
  durableBytes: number;
  hasIslands: boolean;
  chunkBytes: number;
  /** How much a crash may cost. */
  checkpointBytes: number;
}): Checkpoints {
  const { written, queue, sync, onDurable, clock, chunkBytes, checkpointBytes } = parts;
  const pace = createCheckpointPace(clock, checkpointBytes);
  let { durableBytes, hasIslands } = parts;
  // Told to the journal, and written down soon.
  let journalledBytes = durableBytes;
  let underWay: Promise<void> | null = null;
  let catchingUp: Promise<void> | null = null;
  let failure: { error: unknown } | null = null;
  let isClosed = false;

  // Data before journal: the other way round a crash would call bytes finished that were never written.
  async function begin({ atOnce }: { atOnce: boolean }): Promise<void> {
    if (failure !== null) throw failure.error;
    const reached = written.takeChanges();
    const noteSettled = pace.begin();
    // Where it fails the system may have dropped the data, and say nothing of it at the next sync.
    await sync().catch(fail);
    const hasAnyIslands = reached.islands.length > 0 || hasIslands;
    const isNews = reached.durableBytes !== journalledBytes || reached.chunks.length > 0 || hasAnyIslands;
    const journalled = isNews || atOnce ? journal(reached, { atOnce }) : Promise.resolve();
    const noted = journalled.then(noteSettled);
    if (atOnce) await noted;
    else noted.catch(() => undefined);
  }

  async function journal(reached: Durable, urgency: { atOnce: boolean }): Promise<void> {
    journalledBytes = reached.durableBytes;
    hasIslands = reached.islands.length > 0;
    try {
      await onDurable(reached, urgency);
    } catch (error) {
      fail(error);
    }
    durableBytes = reached.durableBytes;
  }

  function fail(error: unknown): never {
    failure ??= { error };
    throw error;
  }

  function start(urgency: { atOnce: boolean }): Promise<void> {
    const started = begin(urgency).finally(() => {
      if (underWay === started) underWay = null;
    });
    underWay = started;
    return started;
  }

  async function settle(): Promise<void> {
    while (underWay !== null) await underWay.catch(() => undefined);
  }

  function isTooFarAhead(): boolean {
    return !isClosed && failure === null && pace.isTooFarAhead;
  }

  async function bringNearer(): Promise<void> {
    await settle();
    while (isTooFarAhead()) {
      await queue.drain();
      await settle();
      await start({ atOnce: true });
    }
  }

  return {
    get durableBytes() {
      return durableBytes;
    },
    get failure() {
      return failure;
    },
    noteTaken: (bytes) => pace.noteTaken(bytes),
    noteWritten: (bytes) => pace.noteWritten(bytes),
    beginWhenDue() {
      if (underWay !== null || failure !== null || !pace.isDue) return;
      queue.flush();
      start({ atOnce: false }).catch(() => undefined);
    },
    catchUp() {
      if (!isTooFarAhead()) return null;
      catchingUp ??= bringNearer().finally(() => (catchingUp = null));
      return catchingUp;
    },
    async make() {
      await settle();
      await start({ atOnce: true });
    },
    settle,
    async forgetBeyond(lengthBytes) {
      if (journalledBytes > lengthBytes) await journal(written.takeChanges(), { atOnce: true });
      else if (hasIslands) {
        // All else as it was journalled: what has come since isn't synced yet.
        const chunkCount = Math.ceil(journalledBytes / chunkBytes);
        const known = { durableBytes: journalledBytes, chunks: [], chunkCount, islands: [] };
        await journal(known, { atOnce: true });
      }
    },
    close: () => void (isClosed = true),
  };
}
