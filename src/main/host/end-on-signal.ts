/**
 * A terminal, npm and our own packages each hand on the same Ctrl-C: what follows the first within this time is
 * that one again, and not a person who has lost patience.
 */
const repeatMs = 1000;

/** Calls back once when the process is asked to end. Asked again later, it ends at once with status 1. */
export function onEndingSignal(listener: () => void): void {
  let askedAtMs: number | null = null;
  const receive = (): void => {
    if (askedAtMs === null) {
      askedAtMs = performance.now();
      listener();
    } else if (performance.now() - askedAtMs > repeatMs) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, receive);
}

/** Closes when the process is asked to end, and exits with 0. */
export function endOnSignal(close: () => Promise<void>): void {
  onEndingSignal(() => {
    close().then(
      () => process.exit(0),
      (thrown: unknown) => {
        process.stderr.write(
          `swath: ${thrown instanceof Error ? thrown.message : 'could not end cleanly'}\n`,
        );
        process.exit(1);
      },
    );
  });
}
