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

/** Of a choice that comes to no Item. */
export function nothingToPack(): AppError {
  return new AppError('exchange.nothing', 'There is nothing to put into a field pack');
}

/** Of a name that another file has. */
export function packExists(path: string): AppError {
  return new AppError('exchange.file-exists', `${path} is there already`, { details: { file: path } });
}
