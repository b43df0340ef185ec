import { toAppError } from '#shared/errors/app-error.ts';
import { describeNews } from '#shared/transfer/order-news-words.ts';
import { OrderTracker } from '#shared/transfer/order-tracker.ts';
import { countUnsettled, type QueueStatus } from '#shared/transfer/queue-status.ts';
import type { TransferState } from '#shared/transfer/transfer.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { AttentionPort } from '../ports.ts';
import { explainFailure } from '../sqlite/failure-of.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';

/** A view that a person wants to see, having asked for it outside the window. */
export interface WindowCall {
  view: 'downloads';
}

/** What the desktop shows of the downloads outside the window. */
export interface Attention {
  /** Calls back with what the window should show. Returns the way to stop. */
  onCall(listener: (call: WindowCall) => void): () => void;
  close(): void;
}

/** Shows the downloads on taskbar and tray, and tells what has to be told, one message an order. */
export function createAttention(parts: {
  downloads: Pick<Downloads, 'watch' | 'orders' | 'pauseQueue' | 'resumeQueue'>;
  settings: Pick<SettingsHolder, 'current'>;
  port: AttentionPort | undefined;
}): Attention {
  const { downloads, settings, port } = parts;
  const listeners = new Set<(call: WindowCall) => void>();
  if (!port) return { onCall: () => () => undefined, close: () => undefined };

  const tracker = new OrderTracker();
  const bytes = new ByteCount();
  let isFollowing = false;
  const stop = downloads.watch(({ changed, removed, queue, isComplete }) => {
    const news = tracker.take({ changed, removed, isNews: isFollowing, isComplete });
    isFollowing ||= isComplete;
    for (const { transferId, receivedBytes, state } of changed) bytes.put(transferId, receivedBytes, state);
    for (const transferId of removed) bytes.forget(transferId);
    if (!isComplete) return;
    showQueue(port, queue, bytes);
    if (!settings.current.isNotifying) return;
    for (const one of news) {
      const title = downloads.orders().find(({ downloadId }) => downloadId === one.downloadId)?.title;
      port.notify(describeNews(one, title ?? 'The download'));
    }
  });
  port.onAct((act) => {
    if (act === 'show-downloads') for (const listener of listeners) listener({ view: 'downloads' });
    // A tray has no place for what goes wrong: where the disk is full, even a pause can't be noted.
    else setPaused(act === 'pause-all').catch((error: unknown) => port.notify(describeFailure(act, error)));
  });

  async function setPaused(isPaused: boolean): Promise<void> {
    if (isPaused) await downloads.pauseQueue();
    else downloads.resumeQueue();
  }

  return {
    onCall(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      stop();
      port.showProgress(null);
      port.showTray(null);
    },
  };
}

function describeFailure(act: 'pause-all' | 'resume-all', error: unknown): { title: string; body: string } {
  const what = act === 'pause-all' ? 'paused' : 'resumed';
  return { title: `Downloads could not be ${what}`, body: `${toAppError(explainFailure(error)).message}.` };
}

function showQueue(port: AttentionPort, queue: QueueStatus, bytes: ByteCount): void {
  const leftCount = countUnsettled(queue.counts);
  if (leftCount === 0) {
    bytes.begin();
    port.showProgress(null);
    port.showTray(null);
    return;
  }
  const isHeld = queue.isPaused || queue.hold !== null || leftCount === queue.counts.waiting;
  port.showProgress({
    fraction: bytes.total + queue.leftBytes === 0 ? 0 : bytes.total / (bytes.total + queue.leftBytes),
    tone: queue.counts.failed > 0 ? 'problem' : isHeld ? 'paused' : 'running',
    leftCount,
  });
  port.showTray({
    words: `${leftCount === 1 ? '1 file' : `${new Intl.NumberFormat('en').format(leftCount)} files`} to come${queue.isPaused ? ', paused' : ''}`,
    act: queue.isPaused ? 'resume-all' : 'pause-all',
  });
}

/** Bytes that came since the queue was last empty. */
class ByteCount {
  readonly #received = new Map<number, number>();
  total = 0;

  put(transferId: number, receivedBytes: number, state: TransferState): void {
    const before = this.#received.get(transferId) ?? 0;
    // What is done was counted while it came; at a start it is of an earlier evening.
    if (!this.#received.has(transferId) && state === 'done') return;
    this.#received.set(transferId, receivedBytes);
    this.total = Math.max(0, this.total + receivedBytes - before);
  }

  forget(transferId: number): void {
    this.#received.delete(transferId);
  }

  begin(): void {
    this.#received.clear();
    this.total = 0;
  }
}
