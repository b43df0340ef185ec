/** Keeps a subscription until nobody wants it any more. `begin` returns the way to stop. */
export function untilAborted(begin: () => () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = begin();
    const end = (): void => {
      stop();
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
