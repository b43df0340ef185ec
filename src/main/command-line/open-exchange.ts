import type { openCommandExchange } from '../backend/commands.ts';
import { createConfStore } from '../host/conf-store.ts';
import { readConnection } from '../host/read-connection.ts';
import { findUserFolders } from '../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';

/** Opens the library of the catalog that the options name for its items to leave or to enter, and closes it. */
export async function withExchange(
  options: GlobalOptions,
  context: CommandContext,
  work: (exchange: ReturnType<typeof openCommandExchange>) => Promise<void>,
): Promise<void> {
  const choice = readConnection(options, context.env) ?? { kind: 'demo' };
  const { dataDir } = findUserFolders(options);
  // Loaded only now: wrong usage is told at once, before the whole program is read.
  const backend = await import('../backend/commands.ts');
  const settings = createConfStore(dataDir);
  const { libraryFile } = backend.findCommandCatalog({ choice, settings, env: context.env, dataDir });
  const { signal } = context;
  const exchange = backend.openCommandExchange(libraryFile, { signal });
  try {
    await work(exchange);
  } finally {
    await exchange.close();
  }
}
