import type { TransferState } from './transfer.ts';

/** Everything that can happen to a transfer. */
export const transferEvents = [
  'start',
  'bytes-flow',
  'bytes-complete',
  'verified',
  'published',
  'wait',
  'wake',
  'fail',
  'retry',
  'fetch-again',
  'pause',
  'resume',
  'cancel',
  'interrupt',
] as const;

/** Something that happens to a transfer. */
export type TransferEvent = (typeof transferEvents)[number];

const running: Partial<Record<TransferEvent, TransferState>> = {
  wait: 'waiting',
  fail: 'failed',
  pause: 'paused',
  cancel: 'cancelled',
  // The process ended in the middle; the queue takes it up again.
  interrupt: 'queued',
};

const transitions: Record<TransferState, Partial<Record<TransferEvent, TransferState>>> = {
  queued: { start: 'preparing', wait: 'waiting', pause: 'paused', cancel: 'cancelled', fail: 'failed' },
  preparing: { ...running, 'bytes-flow': 'downloading', 'bytes-complete': 'verifying' },
  downloading: { ...running, 'bytes-complete': 'verifying' },
  verifying: { ...running, verified: 'finalizing' },
  // Publishing is short and must end one way or the other: it can't be paused or cancelled half-way.
  finalizing: { published: 'done', wait: 'waiting', fail: 'failed', interrupt: 'finalizing' },
  waiting: { wake: 'queued', pause: 'paused', cancel: 'cancelled', retry: 'queued', fail: 'failed' },
  paused: { resume: 'queued', cancel: 'cancelled' },
  failed: { retry: 'queued', cancel: 'cancelled' },
  cancelled: { retry: 'queued' },
  // Its file is missing, or another one by now.
  done: { 'fetch-again': 'queued' },
};

/** The only way to change a transfer's state; null when the event means nothing in that state. */
export function nextState(state: TransferState, event: TransferEvent): TransferState | null {
  return transitions[state][event] ?? null;
}
