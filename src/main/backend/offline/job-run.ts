import type { OpenCatalog } from '../connection/catalogs.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { OfflineJobStore, OfflineProgress, StoredOfflineJob } from '../notebook/offline-job-store.ts';
import type { Clock } from '../ports.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';

/** One run of a job: what it works with, and how far it has come. */
export interface JobRun {
  readonly job: Pick<
    StoredOfflineJob,
    'jobId' | 'connectionId' | 'name' | 'question' | 'choice' | 'startedAtMs'
  >;
  /** Replaced as a whole, never changed; what is durable of it is in the store. */
  progress: OfflineProgress;
  readonly source: OpenCatalog;
  readonly thumbnails: Thumbnails;
  readonly downloads: Downloads;
  readonly store: OfflineJobStore;
  readonly clock: Clock;
  /** Aborts when the job is to stop. */
  readonly signal: AbortSignal;
  /** Tells what came: that many of what its stage counts, and their bytes. */
  readonly onCame: (came: { count: number; bytes: number }) => void;
}
