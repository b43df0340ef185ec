import { Argument, type Command } from 'commander';
import type { ItemRef } from '#shared/stac/item.ts';
import { parseWholeNumber } from '../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { describeEvicted } from '#shared/search/describe-evicted.ts';
import { withLibrary } from './open-offline-library.ts';

/** `swath history` and `swath compare`: the searches that were made in the window, and what changed between two. */
export function addHistoryCommands(program: Command, context: CommandContext): void {
  const number = (text: string): number => parseWholeNumber(text, { min: 1, max: Number.MAX_SAFE_INTEGER });
  program
    .command('history')
    .description(
      'print the searches that were made of a catalog, and the files that were imported, the latest first, as JSON lines; of each question its last run',
    )
    .option('--runs <number>', 'all runs of the question of this search, as "compare" takes them', number)
    .option('--limit <number>', 'searches at most', number, 50)
    .action((_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { limit: number; runs?: number }>();
      return withLibrary(options, context, async (library) => {
        const { runs, limit } = options;
        const found = runs === undefined ? library.pastSearches(limit) : library.runsOf(runs, limit);
        for (const { fetchedAtMs, searchNumber, ...past } of found) {
          const line = { number: searchNumber, askedAt: new Date(fetchedAtMs).toISOString(), ...past };
          await context.stdout.write(`${JSON.stringify(line)}\n`);
        }
      });
    });
  program
    .command('compare')
    .description('print what is new, changed and gone between two searches of the history, as JSON lines')
    .addArgument(new Argument('<older>', 'number of the earlier search').argParser(number))
    .addArgument(new Argument('<newer>', 'number of the later search').argParser(number))
    .action(function (this: Command, older: number, newer: number) {
      const options = this.optsWithGlobals<GlobalOptions>();
      return withLibrary(options, context, async (library) => {
        const { added, changed, missing, evictedCounts } = library.compare(older, newer);
        await print('new', added);
        await print('changed', changed);
        await print('gone', missing);
        if (!options.json)
          context.say(
            `${String(added.length)} new, ${String(changed.length)} changed, ${String(missing.length)} gone`,
          );
        for (const sentence of describeEvicted(evictedCounts)) context.say(sentence);
      });
    });

  async function print(change: string, refs: readonly ItemRef[]): Promise<void> {
    for (const { collectionId, itemId } of refs)
      await context.stdout.write(`${JSON.stringify({ change, collection: collectionId, id: itemId })}\n`);
  }
}
