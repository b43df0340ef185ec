import { randomUUID } from 'node:crypto';
import { demoConnectionId } from '#shared/connection/connection-settings.ts';
import { isAppError, type AppError } from '#shared/errors/app-error.ts';
import { createClient } from '#shared/rpc/client.ts';
import { commandContract } from '#shared/rpc/command-contract.ts';
import type { Client } from '#shared/rpc/define-contract.ts';
import { readSettings } from '#shared/settings/settings.ts';
import { silentSystem, systemClock, type SystemPort } from '../../backend/ports.ts';
import { appVersion } from '../../host/app-version.ts';
import { createConfStore } from '../../host/conf-store.ts';
import { readConnection } from '../../host/read-connection.ts';
import { findUserFolders } from '../../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { reachQueue, type ReachedQueue } from './reach-queue.ts';

/** The queue of the data folder, as one command has it. */
export interface OpenedQueue extends Client<typeof commandContract> {
  /** The catalog that the command names, or the one last in use in the window. */
  connectionId: string;
  /** The program that has the queue and carries the command out; null where it is this one. */
  ownerPid: number | null;
  /** For the one call of the work that can't be done twice: the same when the work is done once more. */
  askKey: string;
  /** Whether the work is done once more, because the program that had the queue ended before it answered. */
  isAgain: boolean;
}

/** What a command does with the queue. */
export interface QueueWork {
  /**
   * What the system tells of power and network, where transfers are to run. Without it nothing runs, unless another
   * program has the queue.
   */
  system?: SystemPort;
  /** Whether it changes nothing, and so needs no folder that can be written to. */
  isReading?: boolean;
  /**
   * Done again, with whoever has the queue next, where the program that has it ends in the middle: doing it twice must come
   * to the same as doing it once, and nothing may be printed twice.
   */
  work: (queue: OpenedQueue) => Promise<void>;
}

/**
 * Does the work with the queue that the window shows. Where another program has it, that one carries it out.
 * @throws AppError `library.in-use`, saying which program has it and takes no commands; `host.other-version`, `host.gone`
 */
export async function withQueue(
  options: GlobalOptions,
  context: CommandContext,
  { system, isReading = false, work }: QueueWork,
): Promise<void> {
  const { dataDir } = findUserFolders(options);
  const settings = createConfStore(dataDir);
  const { connections, connectionId } = readSettings(settings.read());
  const isKnown = connections.some(({ id }) => id === connectionId);
  const last = { kind: 'saved', nameOrId: isKnown ? connectionId : demoConnectionId } as const;
  const named = { choice: readConnection(options, context.env) ?? last, settings, env: context.env, dataDir };
  // Loaded only now: wrong usage is told at once, before the whole program is read.
  const { findCommandCatalog, openCommandLog } = await import('../../backend/commands.ts');
  const { id } = findCommandCatalog(named);
  const queue = {
    ...named,
    appVersion,
    clock: systemClock,
    logger: openCommandLog(dataDir),
    system: system ?? silentSystem,
    isAtRest: system === undefined,
    isReading,
  };
  const askKey = randomUUID();
  let gone: AppError | null = null;
  do {
    const reached = await reachQueue(queue, context);
    // It is still there, and hung up all the same.
    if (gone !== null && gone.details['pid'] === reached.ownerPid) {
      await reached.close({ isDone: true });
      throw gone;
    }
    gone = await workWith(reached, { connectionId: id, askKey, isAgain: gone !== null, work });
    if (gone !== null && !options.json) context.say(sayGone(gone));
  } while (gone !== null);
}

/** Gives why, where the program that has the queue ended in the middle. */
async function workWith(
  reached: ReachedQueue,
  { work, ...what }: Pick<OpenedQueue, 'connectionId' | 'askKey' | 'isAgain'> & Pick<QueueWork, 'work'>,
): Promise<AppError | null> {
  let isDone = false;
  try {
    const client = createClient(commandContract, reached.pipe, { isValidating: false });
    await work({ ...client, ...what, ownerPid: reached.ownerPid });
    isDone = true;
    return null;
  } catch (thrown) {
    const error = reached.explain(thrown);
    if (isAppError(error, 'host.gone')) return error;
    throw error;
  } finally {
    await reached.close({ isDone });
  }
}

function sayGone({ details }: AppError): string {
  return `process ${String(details['pid'])}, which had the queue, has ended; going on without it`;
}
