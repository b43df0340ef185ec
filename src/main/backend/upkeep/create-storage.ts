import { AppError, toAppError, type ErrorData } from '#shared/errors/app-error.ts';
import type { LibraryLimits } from '#shared/settings/settings.ts';
import type {
  Backup,
  EvictionPreview,
  LibraryUsage,
  StorageOutcome,
  StorageStatus,
  StorageTask,
} from '#shared/storage/storage.ts';
import { findLibraryFolder } from '../library/library-file.ts';
import { withReadable } from '../library/upkeep/choose-place.ts';
import type { LibraryUpkeep } from '../library/upkeep/library-upkeep.ts';
import { readBeside } from '../library/upkeep/read-beside.ts';
import { backUpAll } from './back-up-all.ts';
import { describeBackup, readManifest } from './backup-folder.ts';
import { measureFreeBytes } from './check-room.ts';
import { evict, previewEviction } from './evict.ts';
import { isTimeToEvict, type EvictionLook } from './is-time-to-evict.ts';
import { keepRulesOf } from './keep-rules-of.ts';
import {
  findLibrary,
  listAllAside,
  listLibraries,
  refuseMissingLibraries,
  sizeOf,
  withUpkeep,
} from './library-files.ts';
import { move } from './move.ts';
import { restore } from './restore.ts';
import type { StorageParts, TaskResult, TaskRun } from './storage-parts.ts';
import { compact, verify } from './verify-compact.ts';

/** The care of the libraries: one thing is done at a time. */
export interface Storage {
  /** What is being done now; null for nothing. */
  readonly running: StorageStatus['running'];
  status(): Promise<StorageStatus>;
  /** Called after each change; returns the way to stop. */
  onChange(listener: () => void): () => void;
  /** @throws AppError `library.folder-missing`, `connection.not-found`, `library.corrupt`, `cancelled` */
  usage(connectionId: string, signal?: AbortSignal): Promise<LibraryUsage>;
  /** @throws AppError `library.folder-missing`, `library.corrupt`, `cancelled` */
  preview(limits: LibraryLimits, signal?: AbortSignal): Promise<EvictionPreview>;
  setLimits(limits: LibraryLimits): void;
  /** Does something; resolves to how it ended, and never rejects for that. @throws AppError `library.busy` */
  run(task: StorageTask): Promise<StorageOutcome>;
  stop(): void;
  /** Takes back what was done last; does nothing where that can't be. @throws AppError `library.busy` */
  undo(): Promise<StorageOutcome | null>;
  dismiss(): void;
  /** @throws AppError `library.not-a-backup`, `library.newer-schema` */
  inspectBackup(folder: string): Backup;
  close(): Promise<void>;
}

/** How long after the start, and then how often, the libraries are looked after by themselves; null for never. */
interface StorageTimes {
  firstCheckMs: number | null;
  evictEveryMs: number | null;
}

const defaultTimes: StorageTimes = { firstCheckMs: 20_000, evictEveryMs: 60_000 };

/** Looks after the libraries from now on. */
export function createStorage(parts: StorageParts, times: StorageTimes = defaultTimes): Storage {
  return new RunningStorage(parts, times);
}

type Running = NonNullable<StorageStatus['running']>;
type Undo = NonNullable<TaskResult['undo']>;

class RunningStorage implements Storage {
  readonly #parts: StorageParts;
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  readonly #timers: NodeJS.Timeout[];
  readonly #stopFollowing: () => void;
  #running: Running | null = null;
  #abort: AbortController | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #outcome: StorageOutcome | null = null;
  #undo: Undo | null = null;
  #notebookRecovery: StorageStatus['notebookRecovery'];
  #lastLook: EvictionLook | null = null;

  constructor(parts: StorageParts, { firstCheckMs, evictEveryMs }: StorageTimes) {
    this.#parts = parts;
    this.#notebookRecovery = parts.notebookRecovery;
    this.#stopFollowing = parts.catalogs.onChange(() => this.#tell());
    this.#timers = [
      ...(firstCheckMs === null ? [] : [setTimeout(() => void this.#checkLibraries(), firstCheckMs)]),
      ...(evictEveryMs === null ? [] : [setInterval(() => void this.#keepWithinLimits(), evictEveryMs)]),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  get running(): StorageStatus['running'] {
    return this.#running;
  }

  async status(): Promise<StorageStatus> {
    const { settings, downloads, dataDir } = this.#parts;
    const folder = findLibraryFolder(this.#parts);
    return {
      folder,
      isOwnFolder: folder === dataDir,
      folderProblem: this.#findFolderProblem(),
      freeBytes: await measureFreeBytes(folder),
      limits: settings.current.libraryLimits,
      libraries: listLibraries(this.#parts).map(({ connectionId, name, filePath, keeper }) => ({
        connectionId,
        name,
        sizeBytes: sizeOf(filePath),
        isKept: keeper?.status.isKept ?? true,
        writeProblem: keeper?.status.writeProblem ?? null,
        recovery: keeper?.status.recovery ?? null,
      })),
      notebookRecovery: this.#notebookRecovery,
      aside: listAllAside(this.#parts).map((file) => ({ ...file, sizeBytes: sizeOf(file.path) })),
      downloads: downloads.doneFiles(),
      running: this.#running,
      outcome: this.#outcome,
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async usage(connectionId: string, signal?: AbortSignal): Promise<LibraryUsage> {
    refuseMissingLibraries(this.#parts);
    const library = findLibrary(this.#parts, connectionId);
    const rules = keepRulesOf(this.#parts, connectionId);
    return withReadable(library.filePath, async (filePath) => {
      const usage = await readBeside('usage', { filePath }, { signal });
      const { keptCount, keptBytes } = await readBeside('evictable', { filePath, rules }, { signal });
      const work = (upkeep: LibraryUpkeep) => Promise.resolve(upkeep.records(20));
      const records = await withUpkeep({ ...library, filePath }, work);
      return { connectionId, ...usage, pinnedCount: keptCount, pinnedBytes: keptBytes, records };
    });
  }

  async preview(limits: LibraryLimits, signal?: AbortSignal): Promise<EvictionPreview> {
    refuseMissingLibraries(this.#parts);
    return previewEviction(this.#parts, limits, signal);
  }

  setLimits(libraryLimits: LibraryLimits): void {
    this.#parts.settings.change({ libraryLimits });
    this.#tell();
    this.#lastLook = null;
    if (this.#timers.length > 0) void this.#keepWithinLimits();
  }

  run(task: StorageTask): Promise<StorageOutcome> {
    const connectionId = 'connectionId' in task ? task.connectionId : null;
    return this.#perform({ kind: task.kind, connectionId }, (run) => performTask(this.#parts, task, run));
  }

  stop(): void {
    if (this.#running?.canStop) this.#abort?.abort();
  }

  undo(): Promise<StorageOutcome | null> {
    const [undo, outcome] = [this.#undo, this.#outcome];
    if (!undo || !outcome) return Promise.resolve(null);
    return this.#perform({ kind: outcome.kind, connectionId: outcome.connectionId }, undo);
  }

  dismiss(): void {
    this.#outcome = null;
    this.#undo = null;
    this.#notebookRecovery = null;
    for (const { keeper } of listLibraries(this.#parts)) keeper?.dismissRecovery();
    this.#tell();
  }

  inspectBackup(folder: string): Backup {
    return describeBackup(folder, readManifest(folder));
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#stopFollowing();
    this.#listeners.clear();
    this.#closing.abort();
    this.#abort?.abort();
    await this.#ended;
  }

  #perform(
    about: Pick<Running, 'kind' | 'connectionId'>,
    work: (run: TaskRun) => Promise<TaskResult>,
  ): Promise<StorageOutcome> {
    if (this.#running)
      throw new AppError('library.busy', `The libraries are being worked on: ${this.#running.kind}`);
    if (this.#closing.signal.aborted) throw new AppError('cancelled', 'The program is ending');
    const abort = new AbortController();
    const { clock } = this.#parts;
    const running = { ...about, fraction: null, canStop: true, startedAtMs: clock.now() };
    this.#abort = abort;
    this.#become(running);
    const end = (
      outcome: Pick<StorageOutcome, 'state' | 'facts' | 'error'>,
      undo: Undo | null,
    ): StorageOutcome => {
      this.#undo = undo;
      this.#outcome = { ...about, ...outcome, atMs: clock.now(), canUndo: undo !== null };
      this.#abort = null;
      this.#become(null);
      return this.#outcome;
    };
    const ended = work({
      signal: abort.signal,
      onProgress: (fraction) => this.#running && this.#become({ ...this.#running, fraction }),
      commit: () => {
        abort.signal.throwIfAborted();
        if (this.#running) this.#become({ ...this.#running, canStop: false });
      },
    }).then(
      ({ facts, undo }) => end({ state: 'done', facts, error: null }, undo),
      (thrown: unknown) => {
        const error = toAppError(thrown);
        const isStopped = error.code === 'cancelled';
        if (!isStopped)
          this.#parts.logger.error('upkeep failed', { kind: about.kind, message: error.message });
        return end({ state: isStopped ? 'stopped' : 'failed', facts: {}, error: error.toData() }, null);
      },
    );
    this.#ended = ended;
    return ended;
  }

  async #keepWithinLimits(): Promise<void> {
    const { settings, clock } = this.#parts;
    const limits = settings.current.libraryLimits;
    if (this.#running || this.#closing.signal.aborted || this.#findFolderProblem()) return;
    const usedBytes = listLibraries(this.#parts).reduce((sum, { filePath }) => sum + sizeOf(filePath), 0);
    const look = { atMs: clock.now(), usedBytes };
    if (!isTimeToEvict(limits, look, this.#lastLook)) return;
    this.#lastLook = look;
    await this.#quietly(async () => {
      const { itemCount } = await this.preview(limits, this.#closing.signal);
      if (itemCount > 0 && !this.#running) await this.run({ kind: 'evict' });
    });
  }

  // The start looks at the header and at what it reads; the rest is looked at once the window is there.
  async #checkLibraries(): Promise<void> {
    for (const { keeper } of listLibraries(this.#parts)) {
      if (keeper && !this.#closing.signal.aborted) {
        await this.#quietly(() => keeper.checkAfterStart(this.#closing.signal));
      }
    }
  }

  #findFolderProblem(): ErrorData | null {
    try {
      refuseMissingLibraries(this.#parts);
      return null;
    } catch (thrown) {
      return toAppError(thrown).toData();
    }
  }

  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (code !== 'cancelled') this.#parts.logger.warn('library not looked after', { code, message });
    }
  }

  #become(running: Running | null): void {
    this.#running = running;
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

async function performTask(parts: StorageParts, task: StorageTask, run: TaskRun): Promise<TaskResult> {
  if (task.kind !== 'move') refuseMissingLibraries(parts);
  switch (task.kind) {
    case 'verify':
      return verify(parts, task, run);
    case 'compact':
      return compact(parts, task, run);
    case 'evict':
      return evict(parts, run);
    case 'back-up':
      return backUpAll(parts, task, run);
    case 'restore':
      return restore(parts, task, run);
    case 'move':
      return move(parts, task, run);
    case 'rebuild':
      return rebuild(parts, task.connectionId, run);
  }
}

async function rebuild(parts: StorageParts, connectionId: string, run: TaskRun): Promise<TaskResult> {
  const { keeper } = findLibrary(parts, connectionId);
  if (!keeper) throw new AppError('connection.not-found', `The library of ${connectionId} is not open`);
  run.commit();
  await keeper.rebuild();
  const { recovery } = keeper.status;
  return {
    facts: {
      ...recovery?.counts,
      lostItemCount: recovery?.lostItemCount ?? 0,
      damagedPath: recovery?.damagedPath ?? null,
    },
    undo: null,
  };
}
