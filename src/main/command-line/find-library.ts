import type { BasemapSettings } from '#shared/basemap/basemap.ts';
import { demoConnectionId } from '#shared/connection/connection-settings.ts';
import { readSettings } from '#shared/settings/settings.ts';
import { createConfStore } from '../host/conf-store.ts';
import { readConnection } from '../host/read-connection.ts';
import { findUserFolders } from '../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';

/** The catalog whose library a command works with, and where that is. */
export interface FoundLibrary {
  dataDir: string;
  /** Where the library lies, or will. */
  libraryFile: string;
  catalog: { id: string; name: string; baseUrl: string | null };
  /** A person's own. */
  basemaps: readonly BasemapSettings[];
}

/** The library of the catalog that the options name, or of the one last in use in the window. Nothing is asked of it. */
export async function findLibrary(
  options: Omit<GlobalOptions, 'token'>,
  context: CommandContext,
): Promise<FoundLibrary> {
  const { dataDir } = findUserFolders(options);
  const settings = createConfStore(dataDir);
  // Loaded only now: wrong usage is told at once, before the whole program is read.
  const backend = await import('../backend/commands.ts');
  const { connections, connectionId, basemaps } = readSettings(settings.read());
  const isKnown = connections.some(({ id }) => id === connectionId);
  const last = { kind: 'saved', nameOrId: isKnown ? connectionId : demoConnectionId } as const;
  const { id, name, source, libraryFile } = backend.findCommandCatalog({
    choice: readConnection(options, context.env) ?? last,
    settings,
    env: context.env,
    dataDir,
  });
  const baseUrl = source.kind === 'demo' ? null : source.baseUrl;
  return { dataDir, libraryFile, catalog: { id, name, baseUrl }, basemaps };
}
