import type { openCommandLibrary } from '../backend/commands.ts';
import { createConfStore } from '../host/conf-store.ts';
import { readConnection } from '../host/read-connection.ts';
import { findUserFolders } from '../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';

/** What is kept of a catalog, opened for one command. */
export type OpenedLibrary = ReturnType<typeof openCommandLibrary>;

/** Opens the library of the catalog that the options name, does the work, and closes it. Nothing is asked of a network. */
export async function withLibrary<Result>(
  options: GlobalOptions,
  context: CommandContext,
  work: (library: OpenedLibrary) => Promise<Result> | Result,
): Promise<Result> {
  const choice = readConnection(options, context.env) ?? { kind: 'demo' };
  const { dataDir } = findUserFolders(options);
  // Loaded only now: wrong usage is told at once, before the whole program is read.
  const backend = await import('../backend/commands.ts');
  const settings = createConfStore(dataDir);
  const { libraryFile } = backend.findCommandCatalog({ choice, settings, env: context.env, dataDir });
  const library = backend.openCommandLibrary(libraryFile);
  try {
    return await work(library);
  } finally {
    await library.close();
  }
}
