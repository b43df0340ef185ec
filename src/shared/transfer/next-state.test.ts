import { describe, expect, it } from 'vitest';
import { nextState, transferEvents, type TransferEvent } from './next-state.ts';
import { isSettled, transferStates, type TransferState } from './transfer.ts';

// Every state in every event; what isn't here changes nothing.
const expected: Record<TransferState, Partial<Record<TransferEvent, TransferState>>> = {
  queued: { start: 'preparing', wait: 'waiting', pause: 'paused', cancel: 'cancelled', fail: 'failed' },
  preparing: {
    'bytes-flow': 'downloading',
    'bytes-complete': 'verifying',
    wait: 'waiting',
    fail: 'failed',
    pause: 'paused',
    cancel: 'cancelled',
    interrupt: 'queued',
  },
  downloading: {
    'bytes-complete': 'verifying',
    wait: 'waiting',
    fail: 'failed',
    pause: 'paused',
    cancel: 'cancelled',
    interrupt: 'queued',
  },
  verifying: {
    verified: 'finalizing',
    wait: 'waiting',
    fail: 'failed',
    pause: 'paused',
    cancel: 'cancelled',
    interrupt: 'queued',
  },
  finalizing: { published: 'done', wait: 'waiting', fail: 'failed', interrupt: 'finalizing' },
  waiting: { wake: 'queued', retry: 'queued', pause: 'paused', cancel: 'cancelled', fail: 'failed' },
  paused: { resume: 'queued', cancel: 'cancelled' },
  failed: { retry: 'queued', cancel: 'cancelled' },
  cancelled: { retry: 'queued' },
  done: { 'fetch-again': 'queued' },
};

describe('nextState', () => {
  for (const state of transferStates) {
    it.each(transferEvents)(`of a ${state} transfer after "%s"`, (event) => {
      expect(nextState(state, event)).toBe(expected[state][event] ?? null);
    });
  }

  it('lets nothing be done that was not verified and published', () => {
    const into = (target: TransferState) =>
      transferStates.flatMap((state) =>
        transferEvents
          .filter((event) => nextState(state, event) === target && state !== target)
          .map(() => state),
      );
    expect(new Set(into('done'))).toEqual(new Set(['finalizing']));
    expect(new Set(into('finalizing'))).toEqual(new Set(['verifying']));
  });

  it('leaves every state that goes on by itself a way back to the queue', () => {
    for (const state of transferStates.filter((candidate) => !isSettled(candidate))) {
      const next = transferEvents.map((event) => nextState(state, event));
      expect(
        next.some((target) => target === 'queued' || target === 'waiting' || target === 'preparing'),
      ).toBe(true);
    }
  });
});
