interface LatestOptions<Value> {
  read: () => Value;
  onChange: (listener: () => void) => () => void;
  emit: (value: Value) => void;
  /** The stream ends when it aborts. */
  signal: AbortSignal;
  /** At most one event in this time. */
  intervalMs?: number;
}

/** Emits a value now and after changes, coalesced: what changes in between is seen in the next event. */
export function streamLatest<Value>(options: LatestOptions<Value>): Promise<void> {
  const { read, onChange, emit, signal, intervalMs = 150 } = options;
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let isDue = false;
    const emitNow = (): void => {
      isDue = false;
      emit(read());
      timer = setTimeout(() => {
        timer = undefined;
        if (isDue) emitNow();
      }, intervalMs);
    };
    const stop = onChange(() => {
      isDue = true;
      if (timer === undefined) emitNow();
    });
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    else emitNow();
  });
}
