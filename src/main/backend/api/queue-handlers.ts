import type { commandContract } from '#shared/rpc/command-contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { Downloads } from '../downloads/downloads.ts';
import { untilAborted } from './until-aborted.ts';

/** The handlers of the queue that windows and commands have in common. */
export function createQueueHandlers(
  downloads: Downloads,
): Omit<Handlers<typeof commandContract>['queue'], 'noteFindings' | 'strandedOrders' | 'handOver'> {
  return {
    pause: (filter, { askKey }) => downloads.pause(filter, askKey),
    resume: (filter, { askKey }) => downloads.resume(filter, askKey),
    cancel: async (filter, { askKey }) => {
      const { undoUntilMs, ...cancelled } = await downloads.cancel(filter, askKey);
      return { ...cancelled, undoUntil: new Date(undoUntilMs).toISOString() };
    },
    undoCancel: ({ cancelId }, { askKey }) => downloads.undoCancel(cancelId, askKey),
    remove: (filter, { askKey }) => downloads.remove(filter, askKey),
    prioritise: ({ which, priority }, { askKey }) => downloads.prioritise(which, priority, askKey),
    pauseQueue: () => downloads.pauseQueue().then(() => ({})),
    resumeQueue: () => {
      downloads.resumeQueue();
      return {};
    },
    dismissNotice: () => {
      downloads.dismissNotice();
      return {};
    },
    report: ({ downloadId }) => downloads.report(downloadId),
    verify: async (filter, emit, { signal }) => {
      await downloads.verify(filter, {
        signal,
        onProgress: (progress) => emit({ ...progress, isDone: progress.doneCount === progress.totalCount }),
      });
    },
    history: (page) => downloads.history(page),
    watch: (_input, emit, { signal }) => untilAborted(() => downloads.watch(emit), signal),
  };
}
