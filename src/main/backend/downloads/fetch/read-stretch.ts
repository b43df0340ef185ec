import type { Readable } from 'node:stream';
import { AppError } from '#shared/errors/app-error.ts';
import { toNetworkError } from '../../http/network-error.ts';
import type { TransferRun } from '../run/transfer-run.ts';
import { startStallWatchdog } from './stall-watchdog.ts';

/**
 * The first bytes of a body, piece by piece, for what is looked at rather than written; within the bandwidth that is
 * allowed, and given up when nothing comes.
 * @throws AppError `network.*` when it broke off or stalled before it had as many, `cancelled`
 */
export async function* readStretch(
  run: TransferRun,
  { body, url, wantedBytes }: { body: Readable; url: string; wantedBytes: number },
): AsyncGenerator<Buffer> {
  const { timers, throttle, hosts } = run.parts;
  const { origin, host } = new URL(url);
  const startedMs = timers.elapsedMs();
  // Kept here as well: not every stream fails with the very error that it was destroyed by.
  const ending: { error: AppError | null } = { error: null };
  const watchdog = startStallWatchdog(timers, {
    isSluggish: hosts.isSluggish(origin),
    onIdle: () => run.noteIdle(),
    onStall() {
      hosts.noteStall(origin, startedMs);
      const details = { host };
      ending.error = new AppError('network.timeout', 'The server stopped sending', {
        details,
        retryable: true,
      });
      body.destroy(ending.error);
    },
  });
  let leftBytes = wantedBytes;
  try {
    for await (const received of body as AsyncIterable<Buffer>) {
      const piece = received.subarray(0, leftBytes);
      watchdog.count(piece.length);
      run.countReceived(piece.length);
      if (throttle.isLimited) await watchdog.holdWhile(throttle.take(piece.length, run.signal));
      leftBytes -= piece.length;
      watchdog.hold();
      yield piece;
      if (leftBytes === 0) return;
    }
  } catch (error) {
    throw ending.error ?? toNetworkError(error, url);
  } finally {
    watchdog.stop();
    body.destroy();
  }
  throw new AppError('network.offline', 'The connection ended before the range did', {
    details: { host, reason: 'ENDED_EARLY', missingBytes: leftBytes },
    retryable: true,
  });
}
