import type { Command } from 'commander';
import { readSettings } from '#shared/settings/settings.ts';
import { createConfStore } from '../host/conf-store.ts';
import { findUserFolders } from '../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';

/** `swath connections`: the catalogs that were set up in the window, without their secrets. */
export function addConnectionsCommand(program: Command, context: CommandContext): void {
  program
    .command('connections')
    .description('print the catalogs that were set up; --connection takes their names and ids')
    .action(async (_options, command: Command) => {
      const { dataDir } = findUserFolders(command.optsWithGlobals<GlobalOptions>());
      const { connections, connectionId } = readSettings(createConfStore(dataDir).read());
      const listed = connections.map((one) => ({ ...one, isCurrent: one.id === connectionId }));
      await context.stdout.writeJson({ connections: listed });
    });
}
