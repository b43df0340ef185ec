import type { NotebookRecovery, StorageStatus } from '#shared/storage/storage.ts';
import type { Catalogs } from '../connection/catalogs.ts';
import type { QueueContents } from '../downloads/queue/queue-contents.ts';
import type { Notebook } from '../notebook/notebook.ts';
import type { Clock, Logger } from '../ports.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';

/** What the care of the libraries works with. */
export interface StorageParts {
  /** Swath's own folder. */
  dataDir: string;
  appVersion: string;
  catalogs: Pick<Catalogs, 'findKeeper' | 'onChange'> & {
    list(): readonly { id: string; name: string }[];
  };
  settings: SettingsHolder;
  notebook: Notebook;
  /** What came back of a notebook that was damaged at this start. */
  notebookRecovery: NotebookRecovery | null;
  /** Its files are counted, and never touched. */
  downloads: QueueContents;
  clock: Clock;
  logger: Logger;
}

/** One task while it runs. */
export interface TaskRun {
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress: (fraction: number) => void;
  /** From here on it can't be stopped any more. */
  commit: () => void;
}

/** How a task ended well. */
export interface TaskResult {
  facts: NonNullable<StorageStatus['outcome']>['facts'];
  /** Takes it back; null where that can't be. */
  undo: ((run: TaskRun) => Promise<TaskResult>) | null;
}
