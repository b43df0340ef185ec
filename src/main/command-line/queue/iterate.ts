import { AppError } from '#shared/errors/app-error.ts';
import type { StreamListener } from '#shared/rpc/define-contract.ts';

/**
 * The events of a subscription, one after the other; it ends when nobody wants the next one.
 * @throws AppError `cancelled` when the signal aborts; what the subscription ends with
 */
export async function* iterate<Input, Event>(
  subscribe: (input: Input, listener: StreamListener<Event>) => () => void,
  input: Input,
  signal: AbortSignal,
): AsyncGenerator<Event> {
  const events: Event[] = [];
  let end: { error: unknown } | null = null;
  let wake = (): void => undefined;
  const onAbort = (): void => {
    end ??= { error: new AppError('cancelled', 'It was stopped') };
    wake();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const stop = subscribe(input, {
    onEvent: (event) => {
      events.push(event);
      wake();
    },
    onError: (error) => {
      end ??= { error };
      wake();
    },
  });
  try {
    for (;;) {
      const ended = end as { error: unknown } | null;
      if (ended && (signal.aborted || events.length === 0)) throw ended.error;
      const [next] = events.splice(0, 1);
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    stop();
  }
}
