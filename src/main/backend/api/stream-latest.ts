import { toAppError } from '#shared/errors/app-error.ts';

interface LatestOptions<Value> {
  read: () => Value | Promise<Value>;
  onChange: (listener: () => void) => () => void;
  emit: (value: Value) => void;
  /** The stream ends when it aborts. */
  signal: AbortSignal;
  /** At most one event in this time. */
  intervalMs?: number;
}

/**
 * Emits a value now and after changes, coalesced: what changes in between is seen in the next event. One read goes after
 * the other, so that reads slower than the changes are emitted all the same.
 */
export function streamLatest<Value>(options: LatestOptions<Value>): Promise<void> {
  const { read, onChange, emit, signal, intervalMs = 150 } = options;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isDue = false;
    let isReading = false;
    const take = (value: Value): void => {
      isReading = false;
      if (signal.aborted) return;
      emit(value);
      emitIfDue();
    };
    const emitNow = (): void => {
      isDue = false;
      timer = setTimeout(() => {
        timer = undefined;
        emitIfDue();
      }, intervalMs);
      try {
        const value = read();
        isReading = value instanceof Promise;
        if (value instanceof Promise) value.then(take).catch(fail);
        else emit(value);
      } catch (thrown) {
        fail(thrown);
      }
    };
    const emitIfDue = (): void => {
      if (isDue && !isReading && timer === undefined) emitNow();
    };
    const stop = onChange(() => {
      isDue = true;
      emitIfDue();
    });
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    function fail(thrown: unknown): void {
      reject(toAppError(thrown));
      end();
    }
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    else emitNow();
  });
}
