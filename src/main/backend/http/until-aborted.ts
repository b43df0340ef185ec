import { AppError } from '#shared/errors/app-error.ts';

/**
 * The outcome of work that is shared with others, until this caller gives up; the work goes on for the others.
 * @throws AppError `cancelled`, and whatever the work throws
 */
export async function untilAborted<Value>(
  pending: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (!signal) return pending;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(new AppError('cancelled', 'The call was cancelled'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([pending, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
