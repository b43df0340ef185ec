import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `connection`. */
export function createConnectionApi(parts: ApiParts): Handlers<typeof contract>['connection'] {
  const { catalogs } = parts;
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => readCurrent(parts),
        onChange: (listener) => catalogs.onChange(listener),
        emit,
        signal,
      }),
    retry: async () => {
      await catalogs.current.connection.retry();
      return {};
    },
    select: ({ connectionId }) => {
      catalogs.select(connectionId);
      return {};
    },
  };
}

function readCurrent({ catalogs }: ApiParts) {
  const { id, connection } = catalogs.current;
  const entry = catalogs.list().find((one) => one.id === id);
  const { status } = connection;
  return {
    connectionId: id,
    ...status,
    name: entry?.name ?? status.name,
    links: entry?.links ?? 'auto',
    maxRequests: entry?.maxRequests ?? 1,
  };
}
