import { findLibraryFile } from '../library/library-file.ts';
import type { SettingsStore } from '../ports.ts';
import { createSettingsHolder } from '../settings/settings-holder.ts';
import type { ConnectionChoice } from './connection-choice.ts';
import { createConnectionSecrets } from './connection-secrets.ts';
import { resolveChoice } from './import-connection.ts';
import { findFirst, planCatalogs, type CatalogPlan } from './plan-catalogs.ts';
import { createSessionSecrets } from './session-secrets.ts';

/** How a command names a catalog. */
export interface CommandChoice {
  choice: ConnectionChoice;
  /** The settings in which a catalog may be named. */
  settings: SettingsStore;
  /** Where its secret is: a command has no keychain. */
  env: Readonly<Record<string, string | undefined>>;
  dataDir: string;
}

/** A catalog that a command named. */
export interface CommandPlan extends CatalogPlan {
  /** Where its library lies, or will. */
  libraryFile: string;
}

/** The catalog that a command names, before anything connects to it. @throws AppError `connection.not-found` */
export function planForCommand({ settings, env, dataDir, ...named }: CommandChoice): CommandPlan {
  const choice = resolveChoice(named.choice, env);
  const holder = createSettingsHolder(settings);
  const start = findFirst(choice, holder.current);
  const secrets = createConnectionSecrets({ store: createSessionSecrets(), env, start });
  const { plans, firstId } = planCatalogs({ settings: holder, secrets, choice });
  const chosen = plans.get(firstId);
  if (!chosen) throw new Error('A catalog that was found is gone');
  return { ...chosen, libraryFile: findLibraryFile(firstId, { settings: holder, dataDir }) };
}
