import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `settings`. */
export function createSettingsApi({ settings, folders }: ApiParts): Handlers<typeof contract>['settings'] {
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => settings.current,
        onChange: (listener) => settings.onChange(listener),
        emit,
        signal,
      }),
    change: async (changes) => {
      if (typeof changes.destination === 'string') {
        await folders.checkDestination(changes.destination).catch((thrown: unknown) => {
          const why = toAppError(thrown).message;
          throw new AppError('input.invalid', `destination: ${why}`, {
            details: { field: 'destination', why },
          });
        });
      }
      return settings.change(changes);
    },
  };
}
