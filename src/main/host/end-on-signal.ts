/** Closes once when the process is asked to end, then exits with 0; a second signal doesn't wait. */
export function endOnSignal(close: () => Promise<void>): void {
  let isEnding = false;
  const end = (): void => {
    if (isEnding) process.exit(1);
    isEnding = true;
    close().then(
      () => process.exit(0),
      (thrown: unknown) => {
        process.stderr.write(
          `swath: ${thrown instanceof Error ? thrown.message : 'could not end cleanly'}\n`,
        );
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}
