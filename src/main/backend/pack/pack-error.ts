import { AppError } from '#shared/errors/app-error.ts';

/** A pack that can't be taken in. `why` is a sentence. */
export function refusePack(why: string): AppError {
  return new AppError('exchange.unreadable', `The field pack was refused: ${why}`, {
    details: { why: `${why} Nothing was changed.` },
  });
}

/** @throws AppError `cancelled` once the signal aborted */
export function refuseIfStopped(signal: AbortSignal, what = 'The field pack was not taken in'): void {
  if (signal.aborted) throw new AppError('cancelled', what);
}
