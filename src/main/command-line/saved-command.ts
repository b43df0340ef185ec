import type { Command } from 'commander';
import { describeSearch } from '#shared/search/describe-search.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { addSavedRuleCommands } from './saved-rule-command.ts';
import { withSavedSearches, type SavedEntry } from './open-saved.ts';

/** `swath saved list`, `remove` and `rename`: the saved searches of a catalog. */
export function addSavedCommands(program: Command, context: CommandContext): void {
  const saved = program
    .command('saved')
    .description(
      'saved searches of the catalog: list, rename, remove, and rules. Save and ask them with swath search',
    );

  saved
    .command('list')
    .description('print the saved searches, one a line; as JSON with --json')
    .action((_options, command: Command) =>
      withSavedSearches(command.optsWithGlobals<GlobalOptions>(), context, {
        isReading: true,
        work: async (searches) => {
          const isJson = command.optsWithGlobals<GlobalOptions>().json === true;
          const entries = searches.list();
          if (isJson) await context.stdout.writeJson({ searches: entries.map(toJson) });
          else for (const entry of entries) await context.stdout.writeLine(...toCells(entry));
        },
      }),
    );

  saved
    .command('rename')
    .description('give a saved search another name')
    .argument('<name>', 'its name')
    .argument('<new-name>', 'its new name')
    .action(function (this: Command, name: string, newName: string) {
      return withSavedSearches(this.optsWithGlobals<GlobalOptions>(), context, {
        isReading: false,
        work: (searches) => searches.rename(searches.get(name), newName),
      });
    });

  saved
    .command('remove')
    .description('remove a saved search, and what was seen of its answers')
    .argument('<name>', 'its name')
    .action((name: string, _options, command: Command) =>
      withSavedSearches(command.optsWithGlobals<GlobalOptions>(), context, {
        isReading: false,
        work: (searches) => searches.remove(searches.get(name)),
      }),
    );

  addSavedRuleCommands(saved, context);
}

function toJson({ savedSearchId: _, createdAtMs, lookedAtMs, news, ...entry }: SavedEntry) {
  return {
    ...entry,
    createdAt: new Date(createdAtMs).toISOString(),
    lookedAt: lookedAtMs === null ? null : new Date(lookedAtMs).toISOString(),
    newCount: news?.count ?? null,
  };
}

function toCells({ name, question, lookedAtMs }: SavedEntry): string[] {
  const words = describeSearch(question.query, { localFilter: question.localFilter }).join(' · ');
  const looked = lookedAtMs === null ? 'never looked at' : new Date(lookedAtMs).toISOString();
  return [name, looked, words];
}
