import type { OfflineChoice, OfflineJob } from '#shared/offline/offline-job.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { Wait } from '../http/wait.ts';
import type { OfflineJobStore } from '../notebook/offline-job-store.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';

/** What is to be taken offline. */
export interface OfflineOrder {
  connectionId: string;
  name: string;
  question: SavedQuestion;
  choice: OfflineChoice;
}

/** Fetches questions to their end, to have all of it without a network. One job a catalog at a time, oldest first. */
export interface TakeOffline {
  /** Begins, or goes on with a job that was begun with the same order and has not ended; returns its number. */
  start(order: OfflineOrder): number;
  /** Of one catalog, newest first. */
  list(connectionId: string): OfflineJob[];
  find(jobId: number): OfflineJob | null;
  /** What a job asks. @throws AppError `saved.not-found`, as all below */
  questionOf(jobId: number): SavedQuestion;
  /** Stops for now. */
  pause(jobId: number): void;
  /** Goes on where a job stopped; what failed is tried again, and what was evicted fetched again. */
  goOn(jobId: number): void;
  /** Stops; what came stays. */
  cancel(jobId: number): void;
  /** Takes a job off the list; what came stays. */
  remove(jobId: number): void;
  /** Undoes `remove`, as long as the program runs, under another number; what had not come to its end begins anew. */
  restore(jobId: number): void;
  /** Goes on with everything that was under way when the program ended. */
  goOnWithAll(): void;
  /** Called when a job has come further; often. Returns the way to stop. */
  onChange(listener: () => void): () => void;
  /** Resolves when a job neither runs nor waits for its turn or the network. @throws AppError `cancelled` */
  waitUntilSettled(jobId: number, signal: AbortSignal): Promise<OfflineJob>;
  /** Stops all; the next start goes on. */
  close(): Promise<void>;
}

/** What jobs work with. */
export interface TakeOfflineParts {
  store: OfflineJobStore;
  catalogs: {
    open(connectionId: string): OpenCatalog;
    onChange(listener: () => void): () => void;
  };
  thumbnailsOf(connectionId: string): Thumbnails | null;
  downloads: Downloads;
  clock: Clock;
  logger: Logger;
  /** Waits between attempts; by the system's timer unless told. */
  wait?: Wait;
}
