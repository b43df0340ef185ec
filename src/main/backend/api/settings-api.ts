import { AppError, toAppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `settings`. */
export function createSettingsApi({
  catalogs,
  settings,
  folders,
  access,
}: ApiParts): Handlers<typeof contract>['settings'] {
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => settings.current,
        onChange: (listener) => settings.onChange(listener),
        emit,
        signal,
      }),
    changeNetwork: async (wish) => {
      await access.change(wish);
      return settings.current;
    },
    network: async () => {
      const { baseUrl } = catalogs.current.connection.status;
      return {
        proxy: baseUrl === null ? null : await access.proxyTo(baseUrl),
        problem: access.network.problem?.toData() ?? null,
      };
    },
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
