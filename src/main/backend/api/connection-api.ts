import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `connection`. */
export function createConnectionApi({
  connection,
  settings,
}: ApiParts): Handlers<typeof contract>['connection'] {
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => ({ ...connection.status, maxRequests: settings.current.maxConcurrentRequests }),
        onChange: (listener) => connection.onChange(listener),
        emit,
        signal,
      }),
    retry: async () => {
      await connection.retry();
      return {};
    },
  };
}
