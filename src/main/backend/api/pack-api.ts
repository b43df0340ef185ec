import { AppError } from '#shared/errors/app-error.ts';
import type { PackStage } from '#shared/pack/pack-choice.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { SavedQuestion } from '#shared/search/saved-question.ts';
import { createChosenFiles } from '../folders/chosen-files.ts';
import { exportPack } from '../pack/export-pack.ts';
import { gatherContent } from '../pack/gather-content.ts';
import { openPack, previewPack, type BroughtFiles } from '../pack/open-pack.ts';
import type { ApiParts } from './api-parts.ts';
import { throttle } from './throttle.ts';

/** Handlers of `pack`. */
export function createPackApi(parts: ApiParts): Handlers<typeof contract>['pack'] {
  const { ports, catalogs, downloads, folders, notebook, settings, basemaps } = parts;
  const { clock, logger } = ports;
  const files = createChosenFiles(ports, { name: 'Field packs', extensions: ['swathpack'] });

  const checkPath = (path: string): string => {
    if (files.mayOpen(path)) return path;
    throw new AppError('transfer.destination-missing', `${path} was not chosen`, { details: { path } });
  };

  const saveQuestion = (connectionId: string) => (name: string, question: SavedQuestion) => {
    // A name that is taken stays with the question that it has here.
    if (notebook.savedSearches.findByName(connectionId, name)) return;
    notebook.savedSearches.save({ connectionId, name, question, nowMs: clock.now() });
  };

  const noteFiles =
    (connectionId: string) =>
    ({ ref, item, destination, files: placed }: BroughtFiles) =>
      downloads.addFinished({
        connectionId,
        ref,
        item,
        destination,
        files: placed.map(({ assetKey, path, verified, finishedAtMs }) => {
          const { sizeBytes, verification, digest } = verified;
          return { assetKey, filePath: path, sizeBytes, verification, digest, finishedAtMs };
        }),
      });

  return {
    plan: async (choice, { signal }) => {
      const { id, library } = catalogs.current;
      const destinations = notebook.downloadFolders.list(id);
      const own = settings.current.basemaps;
      const content = await gatherContent(choice, { library, destinations, basemaps: own, signal });
      const { counts, sizeBytes, basemap } = content;
      return {
        counts,
        sizeBytes,
        basemap: basemap && { maxZoom: basemap.maxZoom, sizeBytes: basemap.sizeBytes },
      };
    },
    export: async ({ choice, folder, name }, emit, { signal }) => {
      const { id, library, connection } = catalogs.current;
      const catalogName = catalogs.list().find((one) => one.id === id)?.name ?? id;
      let sizeBytes = 0;
      let writtenBytes = 0;
      const tell = throttle((path: string | null) => emit({ writtenBytes, sizeBytes, path }));
      const { path } = await exportPack({
        choice,
        source: {
          library,
          catalog: { name: catalogName, baseUrl: connection.status.baseUrl },
          destinations: notebook.downloadFolders.list(id),
          saved: notebook.savedSearches.list(id),
          basemaps: settings.current.basemaps,
        },
        workParent: ports.dataDir,
        folder: await folders.checkDestination(folder),
        name,
        swathVersion: ports.appVersion,
        nowMs: clock.now(),
        onProgress: (progress) => {
          ({ writtenBytes, sizeBytes } = progress);
          tell(null);
        },
        signal,
      });
      emit({ writtenBytes, sizeBytes: writtenBytes, path });
    },
    chooseFile: async () => {
      const path = await files.choose();
      return path === null ? null : { path };
    },
    listFiles: ({ path }) => files.list(path),
    preview: ({ path }) => previewPack(checkPath(path)),
    open: async ({ path, destination }, emit, { signal }) => {
      const { id, library } = catalogs.current;
      let last = { stage: 'checking' as PackStage, doneBytes: 0, totalBytes: 0 };
      const tell = throttle((progress: typeof last) => emit({ ...progress, outcome: null }));
      const outcome = await openPack({
        path: checkPath(path),
        library,
        dataDir: ports.dataDir,
        destination: destination === null ? null : await folders.checkDestination(destination),
        saveQuestion: saveQuestion(id),
        onFiles: noteFiles(id),
        onBasemap: () => basemaps.takeBrought(),
        onProgress: (progress) => {
          // What it means to stop it the window has to know at once.
          if (progress.stage === last.stage) tell(progress);
          else emit({ ...progress, outcome: null });
          last = progress;
        },
        nowMs: clock.now(),
        logger,
        signal,
      });
      emit({ ...last, outcome });
    },
  };
}
