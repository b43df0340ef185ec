import type { DownloadRule, RuleTerms } from '#shared/transfer/download-rule.ts';
import type { Session } from './session.svelte.ts';

/** Rules that order new items of saved searches, of the catalog in use. */
export class RulesState {
  readonly #session: Session;
  #rules = $state.raw<readonly DownloadRule[]>([]);
  #runningId = $state.raw<number | null>(null);

  constructor(session: Session) {
    this.#session = session;
    session.onOpen((client) => {
      client.rules.watch(
        {},
        {
          onEvent: ({ rules, runningId }) => {
            this.#rules = rules;
            this.#runningId = runningId;
          },
        },
      );
    });
  }

  /** The rule of a saved search. */
  ruleOf(savedSearchId: number): DownloadRule | null {
    return this.#rules.find((rule) => rule.savedSearchId === savedSearchId) ?? null;
  }

  /** The saved search whose rule runs now. */
  get runningId(): number | null {
    return this.#runningId;
  }

  /** Makes or changes a rule, and switches it on. @throws AppError `transfer.*`, `saved.not-found` */
  async save(savedSearchId: number, terms: RuleTerms, { includesPresent }: { includesPresent: boolean }) {
    await this.#session.client.rules.save({ savedSearchId, ...terms, includesPresent });
  }

  /** @throws AppError `saved.not-found` */
  async switch(savedSearchId: number, isOn: boolean): Promise<void> {
    await this.#session.client.rules.switch({ savedSearchId, isOn });
  }

  /** Forgets a rule; what it ordered stays. @throws AppError `saved.not-found` */
  async remove(savedSearchId: number): Promise<void> {
    await this.#session.client.rules.remove({ savedSearchId });
  }

  /** Runs a rule now; what it did comes with the rules. @throws AppError `saved.not-found` */
  async run(savedSearchId: number): Promise<void> {
    await this.#session.client.rules.run({ savedSearchId });
  }
}
