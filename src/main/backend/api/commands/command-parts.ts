import type { Downloads } from '../../downloads/downloads.ts';
import type { Notebook } from '../../notebook/notebook.ts';
import type { Clock } from '../../ports.ts';
import type { RuleParts } from '../../rules/run-rule.ts';
import type { Rules } from '../../rules/rules.ts';
import type { SettingsHolder } from '../../settings/settings-holder.ts';

/** What commands are carried out with, by whichever program has the queue. */
export interface CommandParts {
  downloads: Downloads;
  notebook: Notebook;
  rules: Rules;
  settings: SettingsHolder;
  /** Asks a catalog. */
  ask: RuleParts['ask'];
  /** Whether transfers can have links of a catalog. */
  isKnown: (connectionId: string) => boolean;
  clock: Clock;
}
