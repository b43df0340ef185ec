import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { createStandstill } from './standstill.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function waitFor(code: ErrorCode): Transfer {
  const error = { code, message: 'x', details: {}, retryable: true };
  const waiting = { error, resumeAt: null };
  return { transferId: 1, state: 'waiting', receivedBytes: 0, waiting } as unknown as Transfer;
}

it.each<[ErrorCode, boolean]>([
  ['network.offline', true],
  ['transfer.disk-full', true],
  ['http.unexpected-status', true],
  ['stac.not-an-api', true],
  ['http.too-many-requests', false],
])('gives up on %s: %s', (code, givesUp) => {
  const { signal, update, stop } = createStandstill(6000);
  update([waitFor(code)]);
  vi.advanceTimersByTime(5999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(givesUp);
  if (givesUp) expect(signal.reason).toMatchObject({ code });
  stop();
});

it.each([
  [5000, false],
  [3_600_000, true],
])('of a server that asks for %d ms gives up: %s', (pauseMs, givesUp) => {
  const { signal, update, stop } = createStandstill(6000);
  const { waiting, ...one } = waitFor('http.too-many-requests');
  const resumeAt = new Date(Date.now() + pauseMs).toISOString();
  update([{ ...one, waiting: waiting && { ...waiting, resumeAt } }]);
  vi.advanceTimersByTime(6000);
  expect(signal.aborted).toBe(givesUp);
  stop();
});

it('gives up on a server that says nothing', () => {
  const { signal, update, stop } = createStandstill(6000);
  update([
    { ...waitFor('network.timeout'), state: 'preparing', waiting: null, quietSince: '2026-01-01T00:00:00Z' },
  ]);
  vi.advanceTimersByTime(6000);
  expect(signal.reason).toMatchObject({ code: 'network.timeout' });
  stop();
});

it('gives up on a catalog that gives no link, and not while bytes come', () => {
  const { signal, update, stop } = createStandstill(6000);
  const preparing = {
    ...waitFor('network.timeout'),
    transferId: 2,
    state: 'preparing',
    waiting: null,
  } as const;
  const coming = (receivedBytes: number) =>
    ({ ...preparing, transferId: 1, state: 'downloading', receivedBytes }) as const;
  for (let second = 1; second < 10; second += 1) {
    update([coming(second), preparing]);
    vi.advanceTimersByTime(1000);
  }
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(5000);
  expect(signal.reason).toMatchObject({ code: 'network.timeout', message: 'The catalog has given no link' });
  stop();
});

it.each<[ErrorCode, boolean]>([
  ['network.switched-off', true],
  ['transfer.disk-full', true],
  ['limit.schedule', false],
])('of a queue that is held by %s gives up: %s', (code, givesUp) => {
  const { signal, update, stop } = createStandstill(6000);
  const queued = { ...waitFor(code), state: 'queued' as const, waiting: null };
  update([queued], { error: { code, message: 'x', details: {}, retryable: true }, resumeAt: null });
  vi.advanceTimersByTime(6000);
  expect(signal.aborted).toBe(givesUp);
  stop();
});

it('says what is known last, also of one that is only prepared once more', () => {
  const { signal, update, stop } = createStandstill(6000);
  const preparing = {
    ...waitFor('network.timeout'),
    state: 'preparing',
    waiting: null,
  } as unknown as Transfer;
  update([preparing]);
  vi.advanceTimersByTime(1000);
  update([waitFor('transfer.destination-missing')]);
  vi.advanceTimersByTime(1000);
  update([preparing]);
  vi.advanceTimersByTime(4000);
  expect(signal.reason).toMatchObject({ code: 'transfer.destination-missing' });
  stop();
});
