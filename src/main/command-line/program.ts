import { Command } from 'commander';
import { appVersion } from '../host/app-version.ts';
import { addBrowserCommand } from './browser-command.ts';
import { addCollectionsCommands } from './collections-commands.ts';
import type { CommandContext } from './command-context.ts';
import { addConnectionsCommand } from './connections-command.ts';
import { addDemoCommand } from './demo-command.ts';
import { addDownloadCommand } from './download-command.ts';
import { addExchangeCommands } from './export-command.ts';
import { exitCodesHelp } from './exit-code.ts';
import { addFindCommand } from './find-command.ts';
import { addHistoryCommands } from './history-commands.ts';
import { addItemCommand } from './item-command.ts';
import { addPackCommands } from './pack-commands.ts';
import { addLibraryCommands } from './library-commands.ts';
import { addQueueCommands } from './queue/queue-commands.ts';
import { addSavedCommands } from './saved-command.ts';
import { addSearchCommand } from './search-command.ts';
import { addServeCommand } from './serve-command.ts';
import { addTakeOfflineCommand } from './take-offline-command.ts';
import { addVerifyCommand } from './verify-command.ts';

/** The commands and options of `swath`. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('swath')
    .description(
      'Find satellite imagery in a STAC catalog and bring it home. Data goes to standard output, the rest to standard error.',
    )
    .version(appVersion)
    .option(
      '--data-dir <folder>',
      "where Swath keeps its files (default: the platform's folder for user data)",
    )
    .option(
      '--connection <name>',
      'a catalog that was set up in the window, by name or id; env: the one of EDS_API_URL and its like',
    )
    .option('--base-url <url>', 'the catalog (default: the demo catalog, started for the command)')
    .option('--auth-url <url>', 'where client credentials are exchanged for a token (OAuth2)')
    .option('--client-id <id>', "the client's id; its secret is read from SWATH_CLIENT_SECRET")
    .option(
      '--token <token>',
      'access token of the catalog; better given in the environment as SWATH_TOKEN. Over plain http it goes to this computer only, unless SWATH_INSECURE_HTTP=1',
    )
    .option('--no-keep', 'keep nothing of what the catalog answers in the library')
    .option('--json', 'results, summaries and errors as JSON')
    .addHelpText('afterAll', exitCodesHelp)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  addDemoCommand(program, context);
  addConnectionsCommand(program, context);
  addCollectionsCommands(program, context);
  addItemCommand(program, context);
  addSearchCommand(program, context);
  addFindCommand(program, context);
  addSavedCommands(program, context);
  addHistoryCommands(program, context);
  addExchangeCommands(program, context);
  addDownloadCommand(program, context);
  addQueueCommands(program, context);
  addVerifyCommand(program, context);
  addTakeOfflineCommand(program, context);
  addPackCommands(program, context);
  addServeCommand(program, context);
  addLibraryCommands(program, context);
  addBrowserCommand(program, context);
  return program;
}
