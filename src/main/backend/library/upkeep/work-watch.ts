import { AppError } from '#shared/errors/app-error.ts';

/** How long work is followed and stopped from outside. */
export interface WorkWatch {
  /** How much is done, from 0 to 1. */
  onProgress(fraction: number): void;
  shouldStop(): boolean;
}

/** Work that nobody follows. */
export const unwatched: WorkWatch = { onProgress: () => undefined, shouldStop: () => false };

/** Tells how far the work is. @throws AppError `cancelled` when it should stop */
export function report(watch: WorkWatch, fraction: number): void {
  if (watch.shouldStop()) throw new AppError('cancelled', 'It was stopped');
  watch.onProgress(Math.min(1, fraction));
}

/** A part of some work, as if it were all of it. */
export function partOf(watch: WorkWatch, from: number, to: number): WorkWatch {
  return {
    onProgress: (fraction) => watch.onProgress(from + fraction * (to - from)),
    shouldStop: () => watch.shouldStop(),
  };
}

/** Passes on only what a person would see a difference of. */
export function inVisibleSteps(tell: (fraction: number) => void): (fraction: number) => void {
  let last = -1;
  return (fraction) => {
    if (fraction - last < 0.005 && fraction < 1) return;
    last = fraction;
    tell(fraction);
  };
}
