import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-codes.ts';
import { decideAfterError } from './wait-policy.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const dayMs = 86_400_000;

function delayOf(
  code: ErrorCode,
  { attempts = 0, random = 0.5, sinceProgressMs = 0, details = {}, retryable = true } = {},
): number | 'final' {
  const error = new AppError(code, 'x', { details, retryable });
  const next = decideAfterError(error, { attempts, progressAtMs: nowMs - sinceProgressMs, nowMs, random });
  return 'isFinal' in next ? 'final' : next.resumeAtMs - nowMs;
}

describe('decideAfterError', () => {
  it('comes back soon after a broken connection, and later each time', () => {
    const delays = [0, 1, 2, 3, 4, 5, 6, 7].map((attempts) =>
      delayOf('network.timeout', { attempts, random: 1 }),
    );
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(delayOf('network.timeout', { random: 0 })).toBe(250);
  });

  it('loses patience slowly', () => {
    expect(delayOf('network.timeout', { attempts: 8 })).toBe(15 * 60_000);
    expect(delayOf('network.timeout', { attempts: 9 })).toBe(60 * 60_000);
    expect(delayOf('network.timeout', { attempts: 32, sinceProgressMs: dayMs + 1 })).toBe('final');
  });

  it('takes neither a weekend without power nor a clock that was put for a day of trying', () => {
    expect(delayOf('network.timeout', { attempts: 9, sinceProgressMs: 3 * dayMs })).toBe(60 * 60_000);
    expect(delayOf('network.timeout', { attempts: 40, sinceProgressMs: -dayMs })).toBe(60 * 60_000);
  });

  it('says what the last of a day of errors was', () => {
    const error = new AppError('network.timeout', 'x', { retryable: true });
    const patience = { attempts: 32, progressAtMs: nowMs - dayMs, nowMs, random: 0 };
    expect(decideAfterError(error, patience)).toMatchObject({
      error: { code: 'transfer.no-progress', retryable: true, details: { lastCode: 'network.timeout' } },
    });
  });

  it('never fails for want of a network, and looks for it at least every five minutes', () => {
    const details = { reason: 'ENOTFOUND' };
    expect(delayOf('network.offline', { details })).toBe(15_000);
    expect(delayOf('network.offline', { details, attempts: 50, sinceProgressMs: 9 * dayMs })).toBe(300_000);
    // Away from the office, its proxy is away too.
    expect(delayOf('network.proxy', { details, attempts: 50, sinceProgressMs: 9 * dayMs })).toBe(300_000);
    expect(delayOf('network.proxy', { details: { status: 403 }, retryable: false })).toBe('final');
  });

  it('does what a busy server asks, within reason, and otherwise keeps away for at least half the time', () => {
    expect(delayOf('http.too-many-requests', { details: { retryAfterMs: 7000 } })).toBe(7000);
    expect(delayOf('http.too-many-requests', { details: { retryAfterMs: 0 } })).toBe(1000);
    expect(delayOf('http.too-many-requests', { details: { retryAfterMs: 99 * dayMs } })).toBe(3_600_000);
    expect(delayOf('http.too-many-requests', { random: 0 })).toBe(5000);
    expect(delayOf('http.too-many-requests', { random: 1, attempts: 9 })).toBe(300_000);
  });

  it('looks every 30 s whether the disk has room or is back', () => {
    expect(delayOf('transfer.disk-full', { attempts: 99, sinceProgressMs: 9 * dayMs })).toBe(30_000);
    expect(delayOf('transfer.destination-missing')).toBe(30_000);
  });

  it.each<[ErrorCode]>([['transfer.checksum-mismatch'], ['link.refused'], ['auth.forbidden'], ['internal']])(
    'leaves %s to a person',
    (code) => {
      expect(delayOf(code, { retryable: false })).toBe('final');
    },
  );

  it('waits for a login, at the catalog or the proxy, and never fails for want of one', () => {
    const patience = { attempts: 50, sinceProgressMs: 9 * dayMs, retryable: false };
    expect(delayOf('auth.required', patience)).toBe(dayMs);
    expect(delayOf('auth.secret-missing', patience)).toBe(dayMs);
    expect(delayOf('network.proxy', { ...patience, details: { status: 407 } })).toBe(dayMs);
    // The token goes to the catalog alone, so that no login opens another server.
    expect(delayOf('auth.required', { ...patience, details: { isElsewhere: true } })).toBe('final');
  });

  it('tries once more where a certificate is not trusted', () => {
    expect(delayOf('network.tls', { retryable: false })).toBe(5000);
    expect(delayOf('network.tls', { retryable: false, attempts: 1 })).toBe('final');
  });

  it('keeps away from a catalog that fails for as long as is known to be of use', () => {
    expect(delayOf('http.unexpected-status', { details: { status: 502, retryAfterMs: 40_000 } })).toBe(
      40_000,
    );
  });

  it('leaves a folder that may not be written to a person, and a disk that fails twice', () => {
    expect(delayOf('transfer.destination-not-writable')).toBe('final');
    expect(delayOf('transfer.disk-error')).toBeLessThan(60_000);
    expect(delayOf('transfer.disk-error', { attempts: 1 })).toBe('final');
  });
});
