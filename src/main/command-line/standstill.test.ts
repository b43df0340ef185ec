import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { createStandstill } from './standstill.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function waitFor(code: ErrorCode): Transfer {
  const error = { code, message: 'x', details: {}, retryable: true };
  return { transferId: 1, state: 'waiting', receivedBytes: 0, waiting: { error } } as unknown as Transfer;
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
