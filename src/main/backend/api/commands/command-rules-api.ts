import { AppError } from '#shared/errors/app-error.ts';
import type { commandContract } from '#shared/rpc/command-contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { CommandParts } from './command-parts.ts';
import { findSaved } from './find-saved.ts';

/** Handlers of `rules` for commands, which name saved searches. */
export function createCommandRulesApi(parts: CommandParts): Handlers<typeof commandContract>['rules'] {
  const { notebook, rules, clock } = parts;
  const { downloadRules, savedSearches } = notebook;

  function need(named: { connectionId: string; name: string }): number {
    const { savedSearchId } = findSaved(parts, named);
    if (downloadRules.find(savedSearchId)) return savedSearchId;
    const { name } = named;
    throw new AppError('saved.not-found', `${name} has no rule`, { details: { name } });
  }

  return {
    list: ({ connectionId }) => ({
      rules: downloadRules.list(connectionId).map(({ connectionId: _, isPrimed: __, ...rule }) => ({
        name: savedSearches.find(connectionId, rule.savedSearchId)?.name ?? '',
        ...rule,
      })),
    }),
    save: ({ terms, isPrimed, ...named }) => {
      const { savedSearchId } = findSaved(parts, named);
      downloadRules.save(savedSearchId, terms, { isPrimed, nowMs: clock.now() });
      return {};
    },
    switch: ({ isOn, ...named }) => {
      downloadRules.switch(need(named), isOn);
      return {};
    },
    remove: (named) => {
      downloadRules.remove(need(named));
      return {};
    },
    run: (named, { signal }) => rules.run(need(named), signal),
  };
}
