import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { ApiParts } from './api-parts.ts';

/** Handlers of `downloads`. */
export function createDownloadsApi({
  catalogs,
  downloads,
  folders,
}: ApiParts): Handlers<typeof contract>['downloads'] {
  const nothing = (): Record<string, never> => ({});
  return {
    start: async ({ collectionId, itemId, assetKeys, destination, links }) => {
      const connectionId = catalogs.current.id;
      const folder = await folders.checkDestination(destination);
      return downloads.start({
        connectionId,
        ref: { collectionId, itemId },
        assetKeys,
        destination: folder,
        links,
      });
    },
    pause: ({ transferId }) => downloads.pause(transferId).then(nothing),
    resume: ({ transferId }) => downloads.resume(transferId).then(nothing),
    cancel: ({ transferId }) => downloads.cancel(transferId).then(nothing),
    remove: ({ transferId }) => downloads.remove(transferId).then(nothing),
    watch: (_input, emit, { signal }) =>
      new Promise((resolve) => {
        const stop = downloads.watch(emit);
        const end = (): void => {
          stop();
          resolve();
        };
        signal.addEventListener('abort', end, { once: true });
        if (signal.aborted) end();
      }),
  };
}
