import type { Command } from 'commander';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { withCatalog } from './open-catalog.ts';

/** `swath item`: one Item as the service sends it, with its signed links. */
export function addItemCommand(program: Command, context: CommandContext): void {
  program
    .command('item')
    .description('print one item, with the download links that the catalog signs')
    .argument('<collection>', 'id of its collection')
    .argument('<item>', 'id of the item')
    .action(function (this: Command, collectionId: string, itemId: string) {
      return withCatalog(this.optsWithGlobals<GlobalOptions>(), context, async ({ access }) => {
        const { item } = await access.catalog.item({ collectionId, itemId }, { signal: context.signal });
        await context.stdout.writeJson(item);
      });
    });
}
