import type { commandContract } from '#shared/rpc/command-contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { Downloads } from '../downloads/downloads.ts';
import { untilAborted } from './until-aborted.ts';

/** The handlers of the queue that windows and commands have in common. */
export function createQueueHandlers(
  downloads: Downloads,
): Omit<Handlers<typeof commandContract>['queue'], 'strandedOrders' | 'handOver'> {
  return {
    pause: (filter) => downloads.pause(filter),
    resume: (filter) => downloads.resume(filter),
    cancel: async (filter) => {
      const { undoUntilMs, ...cancelled } = await downloads.cancel(filter);
      return { ...cancelled, undoUntil: new Date(undoUntilMs).toISOString() };
    },
    undoCancel: ({ cancelId }) => downloads.undoCancel(cancelId),
    remove: (filter) => downloads.remove(filter),
    prioritise: ({ which, priority }) => downloads.prioritise(which, priority),
    pauseQueue: () => downloads.pauseQueue().then(() => ({})),
    resumeQueue: () => {
      downloads.resumeQueue();
      return {};
    },
    report: ({ downloadId }) => downloads.report(downloadId),
    history: (page) => downloads.history(page),
    watch: (_input, emit, { signal }) => untilAborted(() => downloads.watch(emit), signal),
  };
}
