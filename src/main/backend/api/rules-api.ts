import { AppError } from '#shared/errors/app-error.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import { downloadRuleSchema } from '#shared/transfer/download-rule.ts';
import type { ApiParts } from './api-parts.ts';
import { followChoice } from './follow-choice.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `rules`. */
export function createRulesApi({
  catalogs,
  notebook,
  folders,
  rules,
  ports,
}: ApiParts): Handlers<typeof contract>['rules'] {
  const { savedSearches, downloadRules } = notebook;

  const need = (savedSearchId: number): number => {
    if (savedSearches.find(catalogs.current.id, savedSearchId)) return savedSearchId;
    throw new AppError('saved.not-found', `There is no saved search ${savedSearchId}`);
  };

  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({
        read: () => ({
          rules: downloadRules.list(catalogs.current.id).map((rule) => downloadRuleSchema.parse(rule)),
          runningId: rules.runningId,
        }),
        onChange: (listener) => {
          const stops = [
            rules.onChange(listener),
            savedSearches.onChange(listener),
            followChoice(catalogs, listener),
          ];
          return () => stops.forEach((stop) => stop());
        },
        emit,
        signal,
      }),
    save: async ({ savedSearchId, includesPresent, ...terms }) => {
      // A folder that the rule has was chosen when the rule was made.
      const isKept = downloadRules.find(savedSearchId)?.destination === terms.destination;
      const destination = isKept ? terms.destination : await folders.checkDestination(terms.destination);
      downloadRules.save(
        need(savedSearchId),
        { ...terms, destination },
        { isPrimed: includesPresent, nowMs: ports.clock.now() },
      );
      // What is there now is taken note of at once, while it is what the person has before them.
      rules.noteLook(savedSearchId);
      return {};
    },
    switch: ({ savedSearchId, isOn }) => {
      downloadRules.switch(need(savedSearchId), isOn);
      return {};
    },
    remove: ({ savedSearchId }) => {
      downloadRules.remove(need(savedSearchId));
      return {};
    },
    run: ({ savedSearchId }, { signal }) => rules.run(need(savedSearchId), signal),
  };
}
