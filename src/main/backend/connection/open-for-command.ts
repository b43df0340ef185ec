import { createNetwork, type Network } from '../http/network/network.ts';
import { createRequestGate } from '../http/request-gate.ts';
import type { Clock, Logger } from '../ports.ts';
import { createSettingsHolder } from '../settings/settings-holder.ts';
import { connectCatalog } from './connect-catalog.ts';
import type { CatalogAccess } from './connection.ts';
import { planForCommand, type CommandChoice } from './plan-for-command.ts';

/** What a command needs to open a catalog. */
export interface CommandCatalogOptions extends CommandChoice {
  clock: Clock;
  logger: Logger;
  /** Breaks off whatever is asked: the command ends. */
  signal?: AbortSignal;
}

/** A catalog that was opened for one command. */
export interface CommandCatalog {
  access: CatalogAccess;
  connectionId: string;
  /** Where its library lies, or will. */
  libraryFile: string;
  /** How it is reached, and its storage. */
  network: Network;
}

/** Connects to a catalog for one command, without library and queue. @throws AppError `connection.not-found` */
export async function openForCommand(options: CommandCatalogOptions): Promise<CommandCatalog> {
  const { env, clock, logger } = options;
  const { id: connectionId, libraryFile, source, maxRequests } = planForCommand(options);
  const { network: settings } = createSettingsHolder(options.settings).current;
  const network = createNetwork({ settings, env, clock, logger });
  const gate = createRequestGate({ maxRequests, clock });
  const isInsecureHttpAllowed = env['SWATH_INSECURE_HTTP'] === '1';
  const access = await connectCatalog({
    ...options,
    source,
    gate,
    network,
    isInsecureHttpAllowed,
    ending: options.signal,
  });
  return { access, connectionId, libraryFile, network };
}
