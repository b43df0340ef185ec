import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';
import { streamLatest } from './stream-latest.ts';

type AreasApi = Handlers<typeof contract>['areas'];
type StoredGeometry = Awaited<ReturnType<AreasApi['get']>>['geometry'];

/** Handlers of `areas`. */
export function createAreasApi({ notebook, ports }: ApiParts): AreasApi {
  const { areas } = notebook;
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => ({ areas: areas.list() }),
        onChange: (listener) => areas.onChange(listener),
        emit,
        signal,
      }),
    get: ({ areaId }) => toAnswer(areas.get(areaId)),
    keep: ({ name, geometry }) => ({ areaId: areas.keep({ name, geometry }, ports.clock.now()) }),
    rename: ({ areaId, name }) => {
      areas.rename(areaId, name);
      return {};
    },
    remove: ({ areaId }) => toAnswer(areas.remove(areaId)),
  };
}

// What was kept passed the schema then.
function toAnswer({ name, geometry }: { name: string; geometry: unknown }): {
  name: string;
  geometry: StoredGeometry;
} {
  return { name, geometry: geometry as StoredGeometry };
}
