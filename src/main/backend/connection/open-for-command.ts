import { createRequestGate } from '../http/request-gate.ts';
import type { Clock, Logger, SettingsStore } from '../ports.ts';
import { createSettingsHolder } from '../settings/settings-holder.ts';
import { connectCatalog } from './connect-catalog.ts';
import type { ConnectionChoice } from './connection-choice.ts';
import { createConnectionSecrets } from './connection-secrets.ts';
import type { CatalogAccess } from './connection.ts';
import { planCatalogs } from './plan-catalogs.ts';
import { createSessionSecrets } from './session-secrets.ts';

/** What a command needs to open a catalog. */
export interface CommandCatalogOptions {
  choice: ConnectionChoice;
  /** The settings in which a catalog may be named. */
  settings: SettingsStore;
  /** Where its secret is: a command has no keychain. */
  env: Readonly<Record<string, string | undefined>>;
  dataDir: string;
  clock: Clock;
  logger: Logger;
  signal?: AbortSignal;
}

/** Connects to a catalog for one command, without library and queue. @throws AppError `connection.not-found` */
export async function openForCommand(
  options: CommandCatalogOptions,
): Promise<{ access: CatalogAccess; connectionId: string }> {
  const { choice, env, ...others } = options;
  const settings = createSettingsHolder(options.settings);
  const plan = (startId: string) =>
    planCatalogs({
      settings,
      secrets: createConnectionSecrets({ store: createSessionSecrets(), env, startId }),
      choice,
    });
  const connectionId = plan('').firstId;
  const chosen = plan(connectionId).plans.get(connectionId);
  if (!chosen) throw new Error('A catalog that was found is gone');
  const { source, maxRequests } = chosen;
  const gate = createRequestGate({ maxRequests, clock: options.clock });
  const isInsecureHttpAllowed = env['SWATH_INSECURE_HTTP'] === '1';
  const access = await connectCatalog({ ...others, source, gate, isInsecureHttpAllowed });
  return { access, connectionId };
}
