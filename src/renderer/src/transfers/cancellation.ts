import type { TransferFilter } from '#shared/transfer/transfer-filter.ts';
import { formatPlural } from '../format/format-number.ts';
import type { AppState } from '../state/app-state.svelte.ts';

/** Ends transfers at once; for as long as they can be had back a message offers it. */
export function cancelTransfers(app: AppState, which: TransferFilter): void {
  void app.attempt(async () => {
    const { cancelId, count, undoUntil } = await app.transfers.cancel(which);
    if (count === 0) return;
    app.notices.show({
      tone: 'info',
      text: `${formatPlural(count, 'transfer')} cancelled`,
      topic: topicOf(cancelId),
      lifetimeMs: Date.parse(undoUntil) - Date.now(),
      action: { label: 'Undo', run: () => undoCancel(app, cancelId, count) },
    });
  });
}

/** Has back what was cancelled last, once. */
export function undoLastCancel(app: AppState): void {
  const { lastCancel } = app.transfers;
  if (lastCancel === null) return;
  app.notices.dismissTopic(topicOf(lastCancel.cancelId));
  undoCancel(app, lastCancel.cancelId, lastCancel.count);
}

function topicOf(cancelId: number): string {
  return `cancel ${cancelId}`;
}

function undoCancel(app: AppState, cancelId: number, cancelledCount: number): void {
  void app.attempt(async () => {
    const lostCount = cancelledCount - (await app.transfers.undoCancel(cancelId));
    if (lostCount <= 0) return;
    app.notices.show({
      tone: 'info',
      text: `${formatPlural(lostCount, 'transfer')} could not be had back`,
      hint: 'What was cancelled long ago begins anew with “Try again”; what was taken off the list has to be ordered again.',
    });
  });
}
