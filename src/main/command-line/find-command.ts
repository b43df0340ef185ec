import { InvalidArgumentError, type Command } from 'commander';
import { parseWholeNumber } from '../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { withLibrary } from './open-offline-library.ts';
import { sayCount } from './queue/words.ts';

/** `swath find`: what was seen of a catalog, by words. */
export function addFindCommand(program: Command, context: CommandContext): void {
  program
    .command('find')
    .description('print items of the library that have all these words, one a line, the most recent first')
    .argument(
      '<words...>',
      'of ids, titles and properties, such as S2B 31UFS; the last may be a beginning',
      collectWord,
    )
    .option('--limit <number>', 'items at most', (text) => parseWholeNumber(text, { min: 1, max: 1000 }), 100)
    .action(function (this: Command, words: string[]) {
      const options = this.optsWithGlobals<GlobalOptions & { limit: number }>();
      return withLibrary(options, context, async (library) => {
        // One more tells whether there are more.
        const found = library.find(words.join(' '), options.limit + 1);
        const items = found.slice(0, options.limit);
        for (const { item } of items) if (!(await context.stdout.write(`${JSON.stringify(item)}\n`))) break;
        if (options.json) return;
        const more = found.length > items.length ? '; there are more' : '';
        context.say(`${sayCount(items.length, 'item')} from the library${more}`);
      });
    });
}

function collectWord(word: string, before: readonly string[] = []): string[] {
  // What a script meant to fill in would otherwise be "0 items", as if it had been looked for.
  if (word.trim() === '') throw new InvalidArgumentError('A word is needed.');
  return [...before, word];
}
