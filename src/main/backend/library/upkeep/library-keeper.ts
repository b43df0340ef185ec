import { statSync } from 'node:fs';
import { isAppError, toAppError } from '#shared/errors/app-error.ts';
import type { Clock, Logger } from '../../ports.ts';
import type { Library, TakenPage } from '../library.ts';
import { openLibrary } from '../open-library.ts';
import { choosePlace, type LibraryPlace } from './choose-place.ts';
import { discardLeftCopy } from './compact.ts';
import { guardCalls } from './guard-calls.ts';
import { inspectFile } from './inspect-file.ts';
import type { LibraryStatus, RecoveryStatus } from './library-status.ts';
import { readBeside } from './read-beside.ts';
import { createRecovery } from './recover-library.ts';
import { refuseNewer } from './refuse-newer.ts';
import { changeAside, listAside, setAside } from './set-aside.ts';
import { toFileError } from '../../sqlite/open-sqlite.ts';
import { isDamage, toFacts } from './verify-library.ts';
import { writingCalls } from './writing-calls.ts';

interface KeeperOptions {
  filePath: string;
  clock: Clock;
  logger: Logger;
}

/** A library that holds still: it can be read, and nothing is written to it by this process. */
export interface HeldLibrary {
  readonly library: Library;
  /** Ends its threads: nothing else of this process has the file open then. */
  readonly endThreads: () => Promise<void>;
  /** Has the file exchanged while it is closed, at once, so that nobody finds it closed; gives its path from then on. */
  readonly exchange: (swap: (filePath: string) => string) => void;
}

/** Files up to this size are read once after each start. */
const alwaysCheckedBytes = 256 * 1024 * 1024;
/** Larger ones, which take some seconds for a million Items, after a start when they weren't for so long. */
const checkEveryMs = 7 * 24 * 60 * 60_000;
/** Among so many of what was done last. */
const recordsLookedThrough = 100;

/**
 * A library whose file may change under it: moved, restored, or found damaged, when it is put aside, a new one begun and
 * filled with what can still be read. Whoever holds `library` notices nothing of it.
 */
export class LibraryKeeper {
  readonly library: Library;
  readonly #options: KeeperOptions;
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  #filePath: string;
  #place: LibraryPlace;
  #current: Library;
  /** What is to be written waits for it, while the file is being exchanged. */
  #gate: Promise<null> | null = null;
  /** What is being written; the file is exchanged once all of it is done. */
  readonly #writing = new Set<Promise<unknown>>();
  /** Whether the file was left by a program that did not close it. */
  readonly #wasLeftOpen: boolean;
  #status: Pick<LibraryStatus, 'writeProblem' | 'recovery'> = { writeProblem: null, recovery: null };
  #recovering: Promise<void> | null = null;

  /** @throws AppError `library.newer-schema`, `library.in-use` */
  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#filePath = options.filePath;
    this.#place = choosePlace(options.filePath);
    discardLeftCopy(this.#place.filePath);
    this.#wasLeftOpen = inspectFile(`${this.#place.filePath}-wal`) !== null;
    this.#current = this.#open();
    const guarded = guardCalls(
      () => this.#current,
      (name, perform) => this.#perform(name, perform),
    );
    this.library = {
      ...guarded,
      takeIn: (page) => guarded.takeIn(this.#follow(page)),
      together: (work) => this.#alone(() => this.#together(work)),
    };
    this.#recoverLeft();
  }

  get status(): LibraryStatus {
    return { filePath: this.#filePath, isKept: this.#place.isKept, ...this.#status };
  }

  /** The file that is worked with: a copy, where the library's own can't be written to. */
  get workingPath(): string {
    return this.#place.filePath;
  }

  /** Whether it was opened without the library's folder: an empty one that stands in for it, and is gone with the program. */
  get isStandIn(): boolean {
    return this.#place.isFolderMissing;
  }

  /** Calls back after each change of the status; returns the way to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Works with the library while it holds still. What is to be written waits; reading goes on. */
  async hold(work: (held: HeldLibrary) => Promise<void>): Promise<void> {
    try {
      await this.#alone(() => this.#whileHeld(work));
    } finally {
      this.#recoverLeft();
    }
  }

  /**
   * Puts the file aside and fills a new one with what can be read of it. Once, however many find it damaged; and not
   * where another took its place since.
   */
  async rebuild(damaged = this.#current): Promise<void> {
    const before = this.#recovering;
    if (before) return before;
    await this.hold(async (held) => {
      if (damaged !== this.#current) return;
      await held.endThreads();
      held.exchange((filePath) => {
        this.#putAside();
        return filePath;
      });
    });
    await this.#settleRecovery();
  }

  /**
   * Reads the file once, and recovers it where it is damaged: one that a program left open, or that is small, at each
   * start; a large one that was closed well once a week, and otherwise as it is used.
   * @throws AppError `cancelled`, `library.*` when the check can't be noted
   */
  async checkAfterStart(signal: AbortSignal): Promise<void> {
    const filePath = this.workingPath;
    const isSmall = (statSync(filePath, { throwIfNoEntry: false })?.size ?? 0) <= alwaysCheckedBytes;
    const isDue = isSmall || this.#wasLeftOpen || !this.#wasCheckedLately();
    if (!isDue || this.#recovering) return;
    const checked = this.#current;
    const found = await readBeside('verify', { filePath, isThorough: false }, { signal });
    const isDamaged = found.problems.some(({ kind }) => kind === 'structure' || kind === 'unreadable-item');
    if (isDamaged) return this.rebuild(checked);
    if (isSmall) return;
    await checked.upkeep.note({ kind: 'verify', atMs: this.#options.clock.now(), facts: toFacts(found) });
  }

  #wasCheckedLately(): boolean {
    const fromMs = this.#options.clock.now() - checkEveryMs;
    const records = this.#current.upkeep.records(recordsLookedThrough);
    return records.some(({ kind, atMs }) => kind === 'verify' && atMs > fromMs);
  }

  /** Takes a notice of a recovery that is over off the status. */
  dismissRecovery(): void {
    if (this.#status.recovery?.fraction === 1) this.#become({ recovery: null });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#listeners.clear();
    await this.#recovering;
    while (this.#gate) await this.#gate;
    await this.#current.close();
    this.#place.release();
  }

  /** Works with the library while nothing else is written to it. */
  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<null>();
    while (this.#gate) await this.#gate;
    this.#gate = promise;
    try {
      await Promise.allSettled(this.#writing);
      return await work();
    } finally {
      this.#gate = null;
      resolve(null);
    }
  }

  async #whileHeld(work: (held: HeldLibrary) => Promise<void>): Promise<void> {
    let closes: (() => void)[] = [];
    const exchange: HeldLibrary['exchange'] = (swap) => {
      for (const close of closes) close();
      closes = [];
      try {
        this.#filePath = swap(this.#filePath);
      } finally {
        this.#place.release();
        this.#place = choosePlace(this.#filePath);
        this.#current = this.#open();
      }
    };
    const endThreads = async (): Promise<void> => {
      closes.push(await this.#current.endThreads());
    };
    try {
      await work({ library: this.#current, endThreads, exchange });
    } finally {
      // Without its threads it is of no use.
      if (closes.length > 0) exchange((filePath) => filePath);
    }
  }

  async #together<Result>(work: (library: Library) => Promise<Result>): Promise<Result> {
    try {
      const result = await this.#current.together(work);
      this.#noteKept();
      return result;
    } catch (thrown) {
      if (!isAppError(thrown, 'cancelled')) this.#note(thrown, true, this.#current);
      throw thrown;
    }
  }

  #settleRecovery(): Promise<void> {
    return this.#recovering ?? Promise.resolve();
  }

  #open(): Library {
    const { filePath } = this.#place;
    refuseNewer(filePath);
    try {
      return openLibrary({ filePath });
    } catch (thrown) {
      if (!isDamagedAtStart(thrown)) throw thrown;
      this.#log('library is damaged', thrown);
      this.#putAside();
      return openLibrary({ filePath });
    }
  }

  #putAside(): void {
    setAside(this.#place.filePath, { state: 'recovering', nowMs: this.#options.clock.now() });
  }

  #perform(name: string, perform: () => unknown): unknown {
    const isWrite = writingCalls.has(name);
    if (isWrite && this.#gate) return this.#gate.then(() => this.#perform(name, perform));
    const asked = this.#current;
    try {
      const answer = perform();
      if (!(answer instanceof Promise)) return answer;
      const given = isWrite ? answer : answer.catch(this.#orOfTheNext(asked, perform));
      const noted = given.then(
        (value: unknown) => {
          if (isWrite && name !== 'takeIn') this.#noteKept();
          return value;
        },
        (thrown: unknown) => {
          throw this.#note(thrown, isWrite, asked);
        },
      );
      return isWrite ? this.#whileWriting(noted) : noted;
    } catch (thrown) {
      throw this.#note(thrown, isWrite, asked);
    }
  }

  // What was being read while the file was exchanged is read again of the file that came.
  #orOfTheNext(asked: Library, perform: () => unknown): (thrown: unknown) => Promise<unknown> {
    return async (thrown) => {
      await this.#gate;
      if (asked === this.#current || this.#closing.signal.aborted) throw thrown;
      return perform();
    };
  }

  #whileWriting<Value>(answer: Promise<Value>): Promise<Value> {
    const written = answer.finally(() => this.#writing.delete(written));
    this.#writing.add(written);
    return written;
  }

  // What a page could not be kept for is told to the page alone.
  #follow(page: TakenPage): TakenPage {
    return {
      ...page,
      onKept: async (library) => {
        await page.onKept(library);
        this.#noteKept();
      },
      onFailure: (thrown) => {
        this.#note(thrown, true, this.#current);
        page.onFailure(thrown);
      },
    };
  }

  #noteKept(): void {
    if (this.#status.writeProblem) this.#become({ writeProblem: null });
  }

  // Gives what is to be thrown in its place: of a damaged file what a person can be told.
  #note(thrown: unknown, isWrite: boolean, asked: Library): unknown {
    if (isDamage(thrown) || isAppError(thrown, 'library.corrupt')) {
      this.#log('library is damaged', thrown);
      // In a later turn: this one still works with the file.
      setImmediate(() => {
        if (this.#closing.signal.aborted) return;
        this.rebuild(asked).catch((failed: unknown) => this.#log('library not recovered', failed));
      });
    } else if (isWrite) {
      const error = toAppError(thrown);
      const isOurs = error.code.startsWith('library.') || error.code === 'internal';
      if (isOurs) this.#become({ writeProblem: error.toData() });
    }
    return isDamage(thrown) ? toFileError(thrown, { filePath: this.#filePath, name: 'library' }) : thrown;
  }

  // One that a killed program left is gone on with.
  #recoverLeft(): void {
    if (this.#recovering || this.#closing.signal.aborted) return;
    const left = listAside(this.#place.filePath).find(({ state }) => state === 'recovering');
    if (!left) return;
    this.#recovering = this.#recover(left.path)
      .catch((thrown: unknown) => this.#log('library not recovered', thrown))
      .finally(() => {
        this.#recovering = null;
      });
  }

  async #recover(path: string): Promise<void> {
    const recovery = createRecovery(this.library);
    const status: RecoveryStatus = {
      damagedPath: path,
      atMs: this.#options.clock.now(),
      fraction: 0,
      counts: recovery.counts,
      lostItemCount: 0,
    };
    this.#become({ recovery: status });
    const { lostItemCount } = await readBeside(
      'readDamaged',
      { filePath: path },
      {
        onPart: (part) => recovery.take(part),
        onProgress: (fraction) => this.#become({ recovery: { ...status, fraction: fraction * 0.99 } }),
        signal: this.#closing.signal,
      },
    );
    const damagedPath = changeAside(path, 'recovering', 'damaged');
    const facts = { ...recovery.counts, lostItemCount, damagedPath };
    await this.library.upkeep.note({ kind: 'recover', atMs: status.atMs, facts });
    this.#become({ recovery: { ...status, damagedPath, fraction: 1, lostItemCount } });
  }

  #become(change: Partial<LibraryStatus>): void {
    this.#status = { ...this.#status, ...change };
    for (const listener of [...this.#listeners]) listener();
  }

  #log(event: string, thrown: unknown): void {
    this.#options.logger.error(event, { message: toAppError(thrown).message, file: this.#filePath });
  }
}

// A table that is missing where the header says that it was made shows as an error of the statement.
function isDamagedAtStart(thrown: unknown): boolean {
  const { code } = thrown as { code?: unknown };
  return isAppError(thrown, 'library.corrupt') || isDamage(thrown) || code === 'SQLITE_ERROR';
}
