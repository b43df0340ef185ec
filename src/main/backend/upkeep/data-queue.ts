import { join } from 'node:path';
import { demoConnectionId } from '#shared/connection/connection-settings.ts';
import { createCommandCatalogs } from '../connection/command-catalogs.ts';
import { answers } from '../connection/probe-catalog.ts';
import { planForCommand, type CommandChoice } from '../connection/plan-for-command.ts';
import { createDownloads } from '../downloads/create-downloads.ts';
import type { Downloads } from '../downloads/downloads.ts';
import { createTokenlessClient } from '../http/create-tokenless-client.ts';
import { createNetwork } from '../http/network/network.ts';
import { openNotebook, type Notebook } from '../notebook/notebook.ts';
import type { Clock, Logger, SystemPort } from '../ports.ts';
import type { RuleParts } from '../rules/run-rule.ts';
import { createRules, type Rules } from '../rules/rules.ts';
import { followLimits } from '../settings/follow-limits.ts';
import { createSettingsHolder, type SettingsHolder } from '../settings/settings-holder.ts';
import { claimQueue } from './data-folder.ts';

/** The download queue of the data folder in the hands of one command. */
export interface DataQueue {
  downloads: Downloads;
  notebook: Notebook;
  rules: Rules;
  settings: SettingsHolder;
  clock: Clock;
  /** Asks a catalog, which is connected to when it is first asked. */
  ask: RuleParts['ask'];
  /** Whether transfers can have links of a catalog. */
  isKnown(connectionId: string): boolean;
  /** Brings what runs to a point from which it goes on, and lets go of everything. */
  close(): Promise<void>;
}

/** How a command opens the queue. */
export interface DataQueueOptions extends CommandChoice {
  appVersion: string;
  clock: Clock;
  logger: Logger;
  system: SystemPort;
  /** Whether nothing is to run. */
  isAtRest: boolean;
  /** Whether the folder is a copy of the data folder, to look at. */
  isCopy?: boolean;
}

// Commands come one after the other; a person needs longer for the next one than for a button.
const undoMs = 10 * 60_000;

/**
 * Opens the queue that the window has when it is open. Catalogs are connected to when a transfer needs them.
 * @throws AppError `library.in-use`, saying who has it; `library.newer-schema`, `library.corrupt`, `connection.not-found`
 */
export function openDataQueue(options: DataQueueOptions): DataQueue {
  const { dataDir, clock, logger, env } = options;
  const holder = createSettingsHolder(options.settings);
  const settings = holder.current;
  const { id: namedId } = planForCommand(options);
  const catalogs = createCommandCatalogs({ ...options, namedId });
  const catalogOf = async (connectionId: string) => (await catalogs.open(connectionId)).access;
  const s3AccessOf = (connectionId: string) =>
    settings.connections.find(({ id }) => id === connectionId)?.s3Access ?? 'off';
  const network = createNetwork({ settings: settings.network, env, clock, logger });
  const { queue, release } = claimQueue(dataDir, {
    clock,
    open: (filePath) => {
      const notebook = openNotebook({ filePath: join(dataDir, 'notebook.sqlite') });
      try {
        const downloads = createDownloads({
          ...options,
          filePath,
          http: createTokenlessClient({ clock, logger, network }),
          resolveLink: async ({ connectionId, ...asset }, resolve) => {
            const { resolveLink } = await catalogOf(connectionId);
            return resolveLink(asset, { s3Access: s3AccessOf(connectionId), ...resolve });
          },
          loadItem: async (ref, connectionId) => (await catalogOf(connectionId)).catalog.item(ref),
          loadCollection: async (id, connectionId) => (await catalogOf(connectionId)).catalog.collection(id),
          probe: async (connectionId) =>
            answers({ url: (await catalogOf(connectionId)).catalog.baseUrl, network, clock }),
          noteDestination: ({ connectionId, destination, usedAtMs }) =>
            notebook.downloadFolders.note(connectionId, destination, usedAtMs),
          maxConcurrentTransfers: settings.maxConcurrentTransfers,
          limits: settings.transferLimits,
          undoMs,
        });
        return { downloads, notebook };
      } catch (thrown) {
        notebook.close();
        throw thrown;
      }
    },
  });
  const ask: RuleParts['ask'] = async (connectionId, question) =>
    question((await catalogOf(connectionId)).catalog);
  const rules = createRules({
    ...queue,
    ask,
    isOffline: () => false,
    look: null,
    clock,
    logger,
  });
  const stopFollowing = followLimits(holder, queue.downloads);
  const known = new Set([namedId, demoConnectionId, ...settings.connections.map(({ id }) => id)]);
  return {
    ...queue,
    rules,
    settings: holder,
    clock,
    ask,
    isKnown: (connectionId) => known.has(connectionId),
    async close() {
      stopFollowing();
      await rules.close();
      release();
      // Together: what the queue waits for of a catalog may never come.
      await Promise.all([queue.downloads.close(), catalogs.close()]);
      queue.notebook.close();
    },
  };
}
