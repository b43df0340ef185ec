import type { Timers } from './timers.ts';

/** Resolves after a delay, or as soon as the signal says that nobody waits for it any more. */
export async function sleep(
  delayMs: number,
  { timers, signal }: { timers: Timers; signal?: AbortSignal | undefined },
): Promise<void> {
  if (signal?.aborted) return;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  const cancel = timers.after(delayMs, end);
  signal?.addEventListener('abort', end);
  await promise;
  cancel();
  signal?.removeEventListener('abort', end);
}
