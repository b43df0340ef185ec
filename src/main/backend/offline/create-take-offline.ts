import { AppError, toAppError, type ErrorData } from '#shared/errors/app-error.ts';
import type { OfflineJob } from '#shared/offline/offline-job.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { withoutTodo, type StoredJobState, type StoredOfflineJob } from '../notebook/offline-job-store.ts';
import { beginAnew } from './collect-items.ts';
import { describeJob } from './describe-job.ts';
import { countEvicted } from './find-record.ts';
import { createJobMeter } from './job-meter.ts';
import { runJob, type RunningJob } from './run-job.ts';
import type { OfflineOrder, TakeOffline, TakeOfflineParts } from './take-offline.ts';

/** Nothing runs before `start` or `goOnWithAll`. */
export function createTakeOffline(parts: TakeOfflineParts): TakeOffline {
  return new OfflineJobs(parts);
}

class OfflineJobs implements TakeOffline {
  readonly #parts: TakeOfflineParts;
  /** By the catalog's id: what is running there, or waits for the network. */
  readonly #running = new Map<string, RunningJob>();
  readonly #listeners = new Set<() => void>();
  /** Catalogs whose jobs failed, and not even that could be noted: the disk is full. Until a person tries again. */
  readonly #stuck = new Map<string, ErrorData>();
  readonly #removed = new Map<number, StoredOfflineJob>();
  #isClosed = false;

  constructor(parts: TakeOfflineParts) {
    this.#parts = parts;
  }

  start({ connectionId, name, question, choice }: OfflineOrder): number {
    const { store, clock } = this.#parts;
    const key = orderKey({ question, choice });
    const same = store
      .list()
      .find((job) => job.connectionId === connectionId && job.state !== 'done' && orderKey(job) === key);
    if (same) {
      this.goOn(same.jobId);
      return same.jobId;
    }
    const jobId = store.add({ connectionId, name, question, choice }, clock.now());
    this.#stuck.delete(connectionId);
    this.#schedule(connectionId);
    this.#tell();
    return jobId;
  }

  list(connectionId: string): OfflineJob[] {
    const jobs = this.#parts.store.list().filter((job) => job.connectionId === connectionId);
    return jobs.map((job) => this.#describe(job)).reverse();
  }

  find(jobId: number): OfflineJob | null {
    const job = this.#parts.store.find(jobId);
    return job && this.#describe(job);
  }

  questionOf(jobId: number): SavedQuestion {
    return this.#get(jobId).question;
  }

  pause(jobId: number): void {
    this.#stop(this.#get(jobId), 'paused');
  }

  cancel(jobId: number): void {
    this.#stop(this.#get(jobId), 'cancelled');
  }

  goOn(jobId: number): void {
    const { store, clock } = this.#parts;
    const job = this.#get(jobId);
    this.#stuck.delete(job.connectionId);
    if (job.state === 'active') {
      this.#findRunning(jobId)?.wake();
    } else {
      this.#takeUpFailed(job);
      store.setState(jobId, 'active', { error: null, nowMs: clock.now() });
    }
    this.#schedule(job.connectionId);
    this.#tell();
  }

  remove(jobId: number): void {
    const job = this.#get(jobId);
    this.#findRunning(jobId)?.abort.abort();
    this.#parts.store.remove(job.jobId);
    this.#removed.set(jobId, job);
    this.#tell();
  }

  restore(jobId: number): void {
    const job = this.#removed.get(jobId);
    if (!job) return void this.#get(jobId);
    this.#removed.delete(jobId);
    this.#parts.store.bringBack(withoutTodo(job));
    this.#schedule(job.connectionId);
    this.#tell();
  }

  goOnWithAll(): void {
    const active = this.#parts.store.list().filter(({ state }) => state === 'active');
    for (const connectionId of new Set(active.map((job) => job.connectionId))) this.#schedule(connectionId);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  waitUntilSettled(jobId: number, signal: AbortSignal): Promise<OfflineJob> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const job = this.find(jobId);
        if (signal.aborted) end(() => reject(toAppError(new DOMException('aborted', 'AbortError'))));
        else if (!job) end(() => reject(notFound(jobId)));
        else if (!['queued', 'running', 'waiting'].includes(job.state)) end(() => resolve(job));
      };
      const stop = this.onChange(look);
      const end = (settle: () => void): void => {
        stop();
        signal.removeEventListener('abort', look);
        settle();
      };
      signal.addEventListener('abort', look);
      look();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.all(running.map(({ ended }) => ended));
  }

  #get(jobId: number): StoredOfflineJob {
    const job = this.#parts.store.find(jobId);
    if (!job) throw notFound(jobId);
    return job;
  }

  #findRunning(jobId: number): RunningJob | undefined {
    return [...this.#running.values()].find((one) => one.jobId === jobId);
  }

  #describe(job: StoredOfflineJob): OfflineJob {
    const nowMs = this.#parts.clock.now();
    const stuck = job.state === 'active' ? this.#stuck.get(job.connectionId) : undefined;
    if (stuck) return describeJob({ ...job, state: 'failed', error: stuck }, null, nowMs);
    return describeJob(job, this.#findRunning(job.jobId) ?? null, nowMs);
  }

  #stop({ jobId, state }: StoredOfflineJob, next: StoredJobState): void {
    if (state === 'done') return;
    this.#parts.store.setState(jobId, next, { error: null, nowMs: this.#parts.clock.now() });
    this.#findRunning(jobId)?.abort.abort();
    this.#tell();
  }

  #takeUpFailed(job: StoredOfflineJob): void {
    const { store } = this.#parts;
    const { progress, jobId, state } = job;
    if (progress.stage === 'items') return;
    // What fails only at its end lacks items: the catalog's pages came to none.
    const isShort = progress.missedCount > 0 || (state === 'failed' && progress.stage === 'end');
    if (isShort || this.#hasEvicted(job)) {
      beginAnew({ job, store, progress });
      return;
    }
    const { picture, files } = store.retryFailed(jobId);
    if (progress.stage === 'end' && picture + files === 0) return;
    store.saveProgress(jobId, {
      ...progress,
      stage: 'pictures',
      pictureFailedCount: progress.pictureFailedCount - picture,
      fileFailedCount: progress.fileFailedCount - files,
      fileItemsLeft: progress.fileItemsLeft + files,
    });
  }

  #hasEvicted({ connectionId, question, progress: { searchNumber } }: StoredOfflineJob): boolean {
    const { library } = this.#parts.catalogs.open(connectionId);
    return countEvicted(library, { question, searchNumber }) > 0;
  }

  /** Takes up the oldest job of a catalog where none is running. */
  #schedule(connectionId: string): void {
    if (this.#isClosed || this.#stuck.has(connectionId) || this.#running.has(connectionId)) return;
    const job = this.#parts.store
      .list()
      .find((one) => one.connectionId === connectionId && one.state === 'active');
    if (!job) return;
    const running: RunningJob = {
      jobId: job.jobId,
      state: 'running',
      error: null,
      progress: job.progress,
      meter: createJobMeter(),
      came: 0,
      cameBytes: 0,
      abort: new AbortController(),
      ended: Promise.resolve(),
      wake: () => undefined,
    };
    this.#running.set(connectionId, running);
    const ended = runJob(running, this.#parts, () => this.#tell()).catch((thrown: unknown) => {
      this.#parts.logger.error('job not noted', { jobId: job.jobId, message: toAppError(thrown).message });
      this.#stuck.set(connectionId, toAppError(thrown).toData());
    });
    running.ended = ended.finally(() => {
      this.#letGo(job.jobId);
      this.#forgetRepeated(job.jobId);
      this.#running.delete(connectionId);
      this.#schedule(connectionId);
      this.#tell();
    });
  }

  /** Says that no process is at a job any more. */
  #letGo(jobId: number): void {
    const { store, logger } = this.#parts;
    try {
      const progress = store.find(jobId)?.progress;
      if (progress?.runnerPid === process.pid) store.saveProgress(jobId, { ...progress, runnerPid: null });
    } catch (thrown) {
      logger.error('job not noted', { jobId, message: toAppError(thrown).message });
    }
  }

  /** One that was done again stands for those before it. */
  #forgetRepeated(jobId: number): void {
    const { store, logger } = this.#parts;
    try {
      const done = store.list().filter(({ state }) => state === 'done');
      const last = done.find((job) => job.jobId === jobId);
      if (!last) return;
      const isRepeated = (job: StoredOfflineJob): boolean =>
        job.jobId < jobId &&
        job.connectionId === last.connectionId &&
        job.name === last.name &&
        orderKey(job) === orderKey(last);
      for (const job of done.filter(isRepeated)) store.remove(job.jobId);
    } catch (thrown) {
      logger.error('job not noted', { jobId, message: toAppError(thrown).message });
    }
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function orderKey({ question, choice }: Pick<OfflineOrder, 'question' | 'choice'>): string {
  return JSON.stringify([question, choice]);
}

function notFound(jobId: number): AppError {
  return new AppError('saved.not-found', `Nothing is being taken offline as ${String(jobId)}`);
}
