import type { openCatalog } from '../backend/commands.ts';
import { systemClock, type Logger } from '../backend/ports.ts';
import { createConfStore } from '../host/conf-store.ts';
import { findUserFolders } from '../host/user-folders.ts';
import { readConnection } from '../host/read-connection.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';

/** A catalog opened for one command. */
export interface OpenedCatalog {
  access: Awaited<ReturnType<typeof openCatalog>>['access'];
  /** Names the catalog whatever port it has today. */
  connectionId: string;
  /** Where its library lies, or will. */
  libraryFile: string;
  /** How it is reached, and its storage. */
  network: Awaited<ReturnType<typeof openCatalog>>['network'];
  dataDir: string;
  logger: Logger;
}

/** Connects to the catalog that the options name, does the work, and lets go of it. */
export async function withCatalog(
  options: GlobalOptions,
  context: CommandContext,
  work: (opened: OpenedCatalog) => Promise<void>,
): Promise<void> {
  const choice = readConnection(options, context.env) ?? { kind: 'demo' };
  const { dataDir } = findUserFolders(options);
  if (choice.kind === 'demo' && !options.json)
    context.say('no --base-url or --connection given: using the demo catalog');
  // Loaded only now: wrong usage is told at once, before the whole program is read.
  const { openCatalog, openCommandLog } = await import('../backend/commands.ts');
  const logger = openCommandLog(dataDir);
  const ended = new AbortController();
  const { access, ...found } = await openCatalog({
    choice,
    settings: createConfStore(dataDir),
    env: context.env,
    dataDir,
    clock: systemClock,
    logger,
    signal: AbortSignal.any([context.signal, ended.signal]),
  });
  try {
    await work({ access, ...found, dataDir, logger });
  } finally {
    // What nobody waits for any more must not keep the process.
    ended.abort();
    await access.close();
  }
}

/** As `withCatalog`; what the catalog answers is kept in its library, as the window does. */
export function withKeptCatalog(
  options: GlobalOptions,
  context: CommandContext,
  work: (catalog: OpenedCatalog['access']['catalog'], opened: OpenedCatalog) => Promise<void>,
): Promise<void> {
  return withCatalog(options, context, async (opened) => {
    const { access, libraryFile, logger } = opened;
    if (options.keep === false) return work(access.catalog, opened);
    const { keepCommandAnswers } = await import('../backend/commands.ts');
    const kept = keepCommandAnswers(access.catalog, {
      filePath: libraryFile,
      clock: systemClock,
      logger,
    });
    try {
      await work(kept.catalog, { ...opened, access: { ...access, catalog: kept.catalog } });
    } finally {
      const failure = await kept.close();
      if (failure && !options.json) context.say(`the answer is not kept in the library: ${failure.message}`);
    }
  });
}
