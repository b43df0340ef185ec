import type { Transfer } from '#shared/transfer/transfer.ts';
import type { AppState } from '../state/app-state.svelte.ts';
import { describePause, describeStop, type StopWords } from './hold-words.ts';

type Looked = Pick<AppState, 'transfers' | 'settings'>;

/** What keeps the whole queue from running now; null while nothing does. */
export function findStop({ transfers: { queue }, settings }: Looked): StopWords | null {
  const isOffline = settings.current.isWorkingOffline;
  return queue && describeStop(queue, { now: new Date(), isOffline });
}

/** What keeps a queued transfer from its turn though others run; null where nothing does. */
export function findPause({ transfers }: Looked, transfer: Transfer): StopWords | null {
  const { state, downloadId, collectionId } = transfer;
  if (state !== 'queued' || !transfers.queue || transfers.queue.pauses.length === 0) return null;
  const connectionId = transfers.findOrder(downloadId)?.connectionId;
  return describePause(transfers.queue, { connectionId, collectionId });
}
