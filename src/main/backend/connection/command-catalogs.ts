import { demoConnectionId } from '#shared/connection/connection-settings.ts';
import { openForCommand, type CommandCatalog, type CommandCatalogOptions } from './open-for-command.ts';

/** The catalogs that the transfers of a command come from, each connected to when it is first needed. */
export interface CommandCatalogs {
  /** @throws AppError `connection.not-found`, and what connecting throws */
  open(connectionId: string): Promise<CommandCatalog>;
  close(): Promise<void>;
}

/** What the catalogs are opened with; `namedId` is the id of the one that the command names. */
export interface CommandCatalogsOptions extends CommandCatalogOptions {
  namedId: string;
}

/** Knows the catalog that the command names and those of the settings. */
export function createCommandCatalogs({ namedId, ...named }: CommandCatalogsOptions): CommandCatalogs {
  const opened = new Map<string, Promise<CommandCatalog>>();
  const closing = new AbortController();

  async function connect(connectionId: string): Promise<CommandCatalog> {
    const signal = closing.signal;
    if (connectionId === namedId) return openForCommand({ ...named, signal });
    // What the environment gives is meant for the named catalog, and may be sent to no other.
    const { SWATH_TOKEN: _token, SWATH_CLIENT_SECRET: _secret, ...env } = named.env;
    const isDemo = connectionId === demoConnectionId;
    const choice = isDemo
      ? ({ kind: 'demo' } as const)
      : ({ kind: 'saved', nameOrId: connectionId } as const);
    return openForCommand({ ...named, env, choice, signal });
  }

  return {
    open(connectionId) {
      const known = opened.get(connectionId);
      if (known) return known;
      const opening = connect(connectionId);
      opened.set(connectionId, opening);
      // One that didn't open is tried anew the next time.
      opening.catch(() => opened.delete(connectionId));
      return opening;
    },
    async close() {
      closing.abort();
      const all = await Promise.allSettled(opened.values());
      const closings = all.flatMap((one) => (one.status === 'fulfilled' ? one.value.access.close() : []));
      await Promise.allSettled(closings);
    },
  };
}
