import { AppError } from '#shared/errors/app-error.ts';
import type { TransferLimits } from '#shared/settings/transfer-limits.ts';
import { isInSchedule, nextScheduleChangeMs } from '#shared/settings/week-schedule.ts';
import type { SystemState } from '../../ports.ts';

/** Why nothing runs now, and when that ends; null where nobody knows. */
export interface Hold {
  error: AppError;
  /** Milliseconds since 1970 UTC. */
  resumeAtMs: number | null;
}

/** What a person's limits allow at a moment. */
export interface Allowance {
  hold: Hold | null;
  bytesPerSecond: number | null;
  /** When the schedule says something else; null for never. */
  changesAtMs: number | null;
}

/** Decides whether transfers may run, and how fast. Where the system tells nothing, nothing is held against it. */
export function decideAllowance(
  limits: TransferLimits,
  now: { nowMs: number; system: SystemState },
): Allowance {
  const { schedule } = limits;
  const changesAtMs = schedule.isOn ? nextScheduleChangeMs(schedule, now.nowMs) : null;
  const isOutside = schedule.isOn && !isInSchedule(schedule, now.nowMs);
  const bytesPerSecond =
    isOutside && schedule.outsideBytesPerSecond !== null
      ? Math.min(schedule.outsideBytesPerSecond, limits.bytesPerSecond ?? Infinity)
      : limits.bytesPerSecond;
  return { hold: findHold(), bytesPerSecond, changesAtMs };

  function findHold(): Hold | null {
    if (isOutside && schedule.outsideBytesPerSecond === null) {
      return hold('limit.schedule', 'Transfers run in other hours', changesAtMs);
    }
    if (limits.isPausedOnMetered && now.system.isMetered === true) {
      return hold('limit.metered', 'The connection is metered', null);
    }
    if (limits.isPausedOnBattery && now.system.isOnBattery === true) {
      return hold('limit.battery', 'The computer runs on battery', null);
    }
    return null;
  }
}

function hold(
  code: 'limit.schedule' | 'limit.metered' | 'limit.battery',
  message: string,
  resumeAtMs: number | null,
): Hold {
  return { error: new AppError(code, message, { retryable: true }), resumeAtMs };
}
