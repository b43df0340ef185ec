import { toQueryKey } from '#shared/search/query-key.ts';
import { toAppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { StorageTask } from '#shared/storage/storage.ts';
import type { Pin } from '../notebook/pin-store.ts';
import type { ApiParts } from './api-parts.ts';
import { streamLatest } from './stream-latest.ts';

type StorageApi = Handlers<typeof contract>['storage'];
type Pinned = Parameters<StorageApi['pin']>[0];

/** Handlers of `storage`. */
export function createStorageApi({ storage, notebook, catalogs, folders, ports }: ApiParts): StorageApi {
  const { pins } = notebook;
  const toPin = (pinned: Pinned): Pin => ({ connectionId: catalogs.current.id, ...refOf(pinned) });

  // Folders come from the window: only those that a person chose are taken.
  async function checkFolder(task: StorageTask): Promise<StorageTask> {
    if (!('folder' in task) || task.folder === null) return task;
    if (task.kind === 'restore') return task;
    return { ...task, folder: await folders.checkDestination(task.folder) };
  }

  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => storage.status(),
        onChange: (listener) => storage.onChange(listener),
        emit,
        signal,
        intervalMs: 250,
      }),
    usage: ({ connectionId }, { signal }) => storage.usage(connectionId, signal),
    preview: (limits, { signal }) => storage.preview(limits, signal),
    setLimits: (limits) => {
      storage.setLimits(limits);
      return {};
    },
    start: async (task) => {
      const checked = await checkFolder(task);
      storage.run(checked).catch((thrown: unknown) => {
        ports.logger.error('upkeep failed', { kind: task.kind, message: toAppError(thrown).message });
      });
      return {};
    },
    stop: () => {
      storage.stop();
      return {};
    },
    undo: () => {
      storage.undo().catch((thrown: unknown) => {
        ports.logger.error('undo failed', { message: toAppError(thrown).message });
      });
      return {};
    },
    dismiss: () => {
      storage.dismiss();
      return {};
    },
    inspectBackup: ({ folder }) => storage.inspectBackup(folder),
    watchPins: (_input, emit, { signal }) =>
      streamLatest({
        read: () => {
          const list = pins.list(catalogs.current.id);
          const refsOf = (kind: Pin['kind']) => list.filter((pin) => pin.kind === kind).map(({ ref }) => ref);
          return {
            queryKeys: refsOf('search'),
            areaIds: refsOf('area').map(Number),
            collectionIds: refsOf('collection'),
          };
        },
        onChange: (listener) => {
          const stops = [pins.onChange(listener), catalogs.onChange(listener)];
          return () => stops.forEach((stop) => stop());
        },
        emit,
        signal,
      }),
    pin: (pinned) => {
      pins.add(toPin(pinned), ports.clock.now());
      return {};
    },
    unpin: (pinned) => {
      pins.remove(toPin(pinned));
      return {};
    },
  };
}

function refOf(pinned: Pinned): Pick<Pin, 'kind' | 'ref'> {
  switch (pinned.kind) {
    case 'search':
      return { kind: 'search', ref: toQueryKey(pinned.query) };
    case 'area':
      return { kind: 'area', ref: String(pinned.areaId) };
    case 'collection':
      return { kind: 'collection', ref: pinned.collectionId };
  }
}
