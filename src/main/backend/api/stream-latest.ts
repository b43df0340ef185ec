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

/** Emits a value now and after changes, coalesced: what changes in between is seen in the next event. */
export function streamLatest<Value>(options: LatestOptions<Value>): Promise<void> {
  const { read, onChange, emit, signal, intervalMs = 150 } = options;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isDue = false;
    let turn = 0;
    const emitIfLatest = (value: Value, ofTurn: number): void => {
      if (ofTurn === turn) emit(value);
    };
    const emitNow = (): void => {
      isDue = false;
      const thisTurn = ++turn;
      try {
        const value = read();
        if (value instanceof Promise) value.then((latest) => emitIfLatest(latest, thisTurn)).catch(fail);
        else emit(value);
      } catch (thrown) {
        fail(thrown);
        return;
      }
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
    function fail(thrown: unknown): void {
      reject(toAppError(thrown));
      end();
    }
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    else emitNow();
  });
}
