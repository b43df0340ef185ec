import type { Command } from 'commander';
import { parseWholeNumber } from '../../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { withQueue } from './open-queue.ts';
import { sayCount } from './words.ts';

interface Options extends GlobalOptions {
  limit: number;
}

/** `swath queue history`: files that were brought home, also those that are off the list. */
export function addHistoryCommand(queue: Command, context: CommandContext): void {
  queue
    .command('history')
    .description('print files that were brought home, newest first; as JSON with --json')
    .argument('[words...]', 'all of them are in the names, the path or the title')
    .option('--limit <number>', 'files at most', (text) => parseWholeNumber(text, { min: 1, max: 500 }), 100)
    .action(async function (this: Command, words: string[]) {
      const options = this.optsWithGlobals<Options>();
      await withQueue(options, context, {
        isReading: true,
        work: async ({ queue }) => {
          const page = await queue.history({
            text: words.join(' ').slice(0, 500),
            offset: 0,
            limit: options.limit,
          });
          if (options.json) await context.stdout.writeJson(page);
          else {
            for (const { finishedAt, verification, filePath } of page.entries)
              await context.stdout.writeLine(finishedAt, verification, filePath);
            context.say(`${page.entries.length} of ${sayCount(page.totalCount, 'file')}`);
          }
        },
      });
    });
}
