import type { AppError } from '#shared/errors/app-error.ts';
import type { Clock } from '../../ports.ts';
import type { Hosts } from '../limits/hosts.ts';
import type { RowChanges } from '../queue/transfer-row.ts';
import type { TransferRun } from '../run/transfer-run.ts';
import { isUnreachable } from '../limits/is-unreachable.ts';
import { asServerAway, decideAfterError } from './wait-policy.ts';

/** What becomes of a run that an error has ended: it waits, and until when, or has failed. */
export function decideNext(
  { row, origin }: Pick<TransferRun, 'row' | 'origin'>,
  error: AppError,
  options: {
    clock: Clock;
    hosts: Pick<Hosts, 'takeRetry'>;
    random: () => number;
    isNetworkThere: boolean;
  },
): { event: 'wait' | 'fail'; changes: RowChanges } {
  const { clock, hosts, random, isNetworkThere } = options;
  const { attempts, progressAtMs } = row;
  const nowMs = clock.now();
  const next = decideAfterError(error, { attempts, progressAtMs, nowMs, random: random(), isNetworkThere });
  if ('isFinal' in next) {
    return { event: 'fail', changes: { error: (next.error ?? error).toData(), resumeAtMs: null } };
  }
  const { resumeAtMs, countsAsAttempt } = next;
  const isRetry = countsAsAttempt && origin !== null;
  return {
    event: 'wait',
    changes: {
      error: (isNetworkThere && isUnreachable(error) ? asServerAway(error) : error).toData(),
      resumeAtMs: Math.max(resumeAtMs, isRetry ? nowMs + hosts.takeRetry(origin) : 0),
      attempts: countsAsAttempt ? attempts + 1 : attempts,
    },
  };
}
