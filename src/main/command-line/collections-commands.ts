import type { Command } from 'commander';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { withKeptCatalog } from './open-catalog.ts';

/** `swath collections`, `swath collection` and `swath queryables`: the service's JSON. */
export function addCollectionsCommands(program: Command, context: CommandContext): void {
  const { signal, stdout } = context;

  program
    .command('collections')
    .description('print all collections')
    .action((_options, command: Command) =>
      withKeptCatalog(command.optsWithGlobals<GlobalOptions>(), context, async (catalog) => {
        await stdout.writeJson({ collections: await catalog.collections({ signal }) });
      }),
    );

  program
    .command('collection')
    .description('print one collection')
    .argument('<id>', 'id of the collection')
    .action((id: string, _options, command: Command) =>
      withKeptCatalog(command.optsWithGlobals<GlobalOptions>(), context, async (catalog) => {
        await stdout.writeJson(await catalog.collection(id, { signal }));
      }),
    );

  program
    .command('queryables')
    .description(
      'print the properties that can be queried: of all collections, of one, or those that several share',
    )
    .argument('[ids...]', 'ids of collections')
    .action((ids: string[], _options, command: Command) =>
      withKeptCatalog(command.optsWithGlobals<GlobalOptions>(), context, async (catalog) => {
        await stdout.writeJson(await catalog.queryables(ids, { signal }));
      }),
    );
}
