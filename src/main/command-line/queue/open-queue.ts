import { demoConnectionId } from '#shared/connection/connection-settings.ts';
import { readSettings } from '#shared/settings/settings.ts';
import type { openDataQueue } from '../../backend/commands.ts';
import { silentSystem, systemClock, type SystemPort } from '../../backend/ports.ts';
import { appVersion } from '../../host/app-version.ts';
import { createConfStore } from '../../host/conf-store.ts';
import { readConnection } from '../../host/read-connection.ts';
import { findUserFolders } from '../../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';

/** The queue of the data folder, opened for one command. */
export type OpenedQueue = ReturnType<typeof openDataQueue>;

/** What a command does with the queue. */
export interface QueueWork {
  /** What the system tells of power and network, where transfers are to run; without it nothing runs. */
  system?: SystemPort;
  work: (queue: OpenedQueue) => Promise<void>;
}

/**
 * Opens the queue that the window shows, does the work, and lets go of it.
 * @throws AppError `library.in-use`, saying which program has it
 */
export async function withQueue(
  options: GlobalOptions,
  context: CommandContext,
  { system, work }: QueueWork,
): Promise<void> {
  const { dataDir } = findUserFolders(options);
  const settings = createConfStore(dataDir);
  const { connections, connectionId } = readSettings(settings.read());
  const isKnown = connections.some(({ id }) => id === connectionId);
  const last = { kind: 'saved', nameOrId: isKnown ? connectionId : demoConnectionId } as const;
  // Loaded only now: wrong usage is told at once, before the whole program is read.
  const { openDataQueue, openCommandLog } = await import('../../backend/commands.ts');
  const queue = openDataQueue({
    choice: readConnection(options, context.env) ?? last,
    settings,
    env: context.env,
    dataDir,
    appVersion,
    clock: systemClock,
    logger: openCommandLog(dataDir),
    system: system ?? silentSystem,
    isAtRest: system === undefined,
  });
  try {
    await work(queue);
  } finally {
    await queue.close();
  }
}
