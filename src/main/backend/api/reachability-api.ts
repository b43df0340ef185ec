import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { OpenCatalog } from '../connection/catalogs.ts';
import { judgeReachability } from '../connection/reachability.ts';
import type { ApiParts } from './api-parts.ts';
import { toTimestamp } from './kept-answers.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `reachability`. */
export function createReachabilityApi(parts: ApiParts): Handlers<typeof contract>['reachability'] {
  const { catalogs, settings } = parts;
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => readReachability(parts),
        onChange: (listener) => {
          const stops = [catalogs.onChange(listener), settings.onChange(listener)];
          return () => stops.forEach((stop) => stop());
        },
        emit,
        signal,
      }),
  };
}

function readReachability({ catalogs, access }: ApiParts) {
  const { current } = catalogs;
  const { nextProbeAtMs, ...reachability } = judgeReachability(
    current.connection.status,
    access.network.isOff,
  );
  const asOfMs = findLibraryDate(current);
  return {
    connectionId: current.id,
    ...reachability,
    nextProbeAt: nextProbeAtMs === null ? null : toTimestamp(nextProbeAtMs),
    libraryAsOf: asOfMs === null ? null : toTimestamp(asOfMs),
  };
}

function findLibraryDate({ connection, library }: OpenCatalog): number | null {
  const { answeredAtMs } = connection.status;
  return answeredAtMs ?? library.pastSearches({ limit: 1 })[0]?.fetchedAtMs ?? null;
}
