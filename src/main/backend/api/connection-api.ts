import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `connection`. */
export function createConnectionApi({
  catalogs,
  settings,
}: ApiParts): Handlers<typeof contract>['connection'] {
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => ({
          ...catalogs.current.connection.status,
          maxRequests: settings.current.maxConcurrentRequests,
        }),
        onChange: (listener) => catalogs.onChange(listener),
        emit,
        signal,
      }),
    retry: async () => {
      await catalogs.current.connection.retry();
      return {};
    },
  };
}
