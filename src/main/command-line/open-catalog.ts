import type { openCatalog } from '../backend/backend.ts';
import { systemClock, type Logger } from '../backend/ports.ts';
import { defaultSettings } from '#shared/settings/settings.ts';
import { join } from 'node:path';
import { findUserFolders } from '../host/user-folders.ts';
import { readConnection } from '../host/read-connection.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';

/** A catalog opened for one command. */
export interface OpenedCatalog {
  access: Awaited<ReturnType<typeof openCatalog>>;
  /** Names the catalog whatever port it has today. */
  catalogKey: string;
  dataDir: string;
  logger: Logger;
}

/** Connects to the catalog that the options name, does the work, and lets go of it. */
export async function withCatalog(
  options: GlobalOptions,
  context: CommandContext,
  work: (opened: OpenedCatalog) => Promise<void>,
): Promise<void> {
  const choice = readConnection(options, context.env);
  const { dataDir } = findUserFolders(options);
  if (choice.kind === 'demo' && !options.json) context.say('no --base-url given: using the demo catalog');
  // Loaded only now: wrong usage is told at once, before the whole program is read.
  const { openCatalog, openLog } = await import('../backend/backend.ts');
  const logger = openLog(join(dataDir, 'command-line.log'), { clock: systemClock });
  const access = await openCatalog({
    choice,
    dataDir,
    maxCatalogRequests: defaultSettings.maxConcurrentRequests,
    clock: systemClock,
    logger,
    signal: context.signal,
  });
  try {
    const catalogKey = choice.kind === 'demo' ? 'demo' : choice.baseUrl;
    await work({ access, catalogKey, dataDir, logger });
  } finally {
    await access.close();
  }
}
