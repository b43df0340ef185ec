import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `basemaps`. */
export function createBasemapsApi({ basemaps }: ApiParts): Handlers<typeof contract>['basemaps'] {
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => basemaps.state,
        onChange: (listener) => basemaps.onChange(listener),
        emit,
        signal,
      }),
    addFile: async ({ path }) => ({ basemapId: await basemaps.addFile(path) }),
    addOnline: (given) => ({ basemapId: basemaps.addOnline(given) }),
    rename: ({ basemapId, name }) => {
      basemaps.rename(basemapId, name);
      return {};
    },
    remove: async ({ basemapId }) => {
      await basemaps.remove(basemapId);
      return {};
    },
    restore: ({ basemapId }) => {
      basemaps.restore(basemapId);
      return {};
    },
    use: ({ basemapId }) => {
      basemaps.use(basemapId);
      return {};
    },
    chooseFile: async () => {
      const path = await basemaps.files.choose();
      return path === null ? null : { path };
    },
    listFiles: ({ path }) => basemaps.files.list(path),
  };
}
