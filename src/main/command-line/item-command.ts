import type { Command } from 'commander';
import type { ItemRef } from '#shared/stac/item.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { withKeptCatalog } from './open-catalog.ts';
import { withLibrary } from './open-offline-library.ts';

/** `swath item`: one Item as the service sends it, with its signed links. */
export function addItemCommand(program: Command, context: CommandContext): void {
  program
    .command('item')
    .description('print one item, with the download links that the catalog signs')
    .argument('<collection>', 'id of its collection')
    .argument('<item>', 'id of the item')
    .option('--offline', 'from the library, as it was seen and without download links')
    .action(function (this: Command, collectionId: string, itemId: string) {
      const options = this.optsWithGlobals<GlobalOptions & { offline?: boolean }>();
      if (options.offline) return printKept(options, context, { collectionId, itemId });
      return withKeptCatalog(options, context, async (catalog) => {
        const { item } = await catalog.item({ collectionId, itemId }, { signal: context.signal });
        await context.stdout.writeJson(item);
      });
    });
}

function printKept(options: GlobalOptions, context: CommandContext, ref: ItemRef): Promise<void> {
  return withLibrary(options, context, async (library) => {
    const kept = library.item(ref);
    const { collectionId, itemId } = ref;
    if (!kept) {
      throw new AppError(
        'stac.item-not-found',
        `There is no item ${itemId} of ${collectionId} in the library`,
        {
          details: { collectionId, itemId },
        },
      );
    }
    await context.stdout.writeJson(kept.value.item);
    if (options.json) return;
    context.say(`from the library, as of ${new Date(kept.fetchedAtMs).toISOString()}`);
    if (kept.value.isPartial) context.say('only a part of the item is there');
    if (kept.goneAtMs !== null)
      context.say(`the catalog no longer has it, as of ${new Date(kept.goneAtMs).toISOString()}`);
  });
}
