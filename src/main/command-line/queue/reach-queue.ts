import { setTimeout as delay } from 'node:timers/promises';
import { AppError, isAppError } from '#shared/errors/app-error.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import type { Pipe } from '#shared/rpc/pipe.ts';
import type { openDataQueue } from '../../backend/commands.ts';
import { connectToOwner, type Owner } from '../../host/owner/connect-to-owner.ts';
import { serveCommands } from '../../host/owner/serve-commands.ts';

/** The queue at the other end of a pipe. */
export interface ReachedQueue {
  pipe: Pipe;
  /** The program that has the queue; null where it is this one. */
  ownerPid: number | null;
  /** What an error means that the work ended with. */
  explain: (thrown: unknown) => unknown;
  /** Lets go of it. `isDone`: the work came to its end, and what commands of others still ask for is answered. */
  close(how: { isDone: boolean }): Promise<void>;
}

// Another command that only looks or changes is soon done, and a window that starts soon takes commands.
const patienceMs = 8000;
const betweenTriesMs = 200;

// For commands that followed this one, and now ask what became of it.
const followersMs = 5000;

/**
 * Opens the queue for this command, or connects to the program that has it.
 * @throws AppError `library.in-use`, saying which program has it and takes no commands; `host.other-version`
 */
export async function reachQueue(
  options: Parameters<typeof openDataQueue>[0],
  { signal }: { signal: AbortSignal },
): Promise<ReachedQueue> {
  const giveUpAtMs = performance.now() + patienceMs;
  for (;;) {
    const owner = await connectToOwner(options.dataDir);
    if (owner) return toReached(owner);
    try {
      return await open(options);
    } catch (thrown) {
      if (!isAppError(thrown, 'library.in-use') || performance.now() > giveUpAtMs) throw thrown;
      await delay(betweenTriesMs, undefined, { signal });
    }
  }
}

async function open(options: Parameters<typeof openDataQueue>[0]): Promise<ReachedQueue> {
  const { openDataQueue } = await import('../../backend/commands.ts');
  const queue = openDataQueue(options);
  const router = queue.commandRouter;
  // Where nothing runs, the command is soon done.
  const service = options.isAtRest ? null : await serveCommands({ ...options, router });
  const [pipe, itsPipe] = createMemoryPipe();
  router.serve(itsPipe);
  return {
    pipe,
    ownerPid: null,
    explain: (thrown) => thrown,
    async close({ isDone }) {
      pipe.close();
      await service?.close({ patienceMs: isDone ? followersMs : 0 });
      await queue.close();
    },
  };
}

function toReached({ pid, pipe }: Owner): ReachedQueue {
  let isGone = false;
  pipe.onClose(() => (isGone = true));
  return {
    pipe,
    ownerPid: pid,
    explain: (thrown) =>
      isGone && isAppError(thrown, 'network.offline') && thrown.details['host'] === 'local'
        ? new AppError(
            'host.gone',
            `Process ${String(pid)}, which has the queue, ended before it answered. swath queue list shows what was done; what wasn't can be asked for again.`,
            { details: { pid }, retryable: true, cause: thrown },
          )
        : thrown,
    close: () => {
      pipe.close();
      return Promise.resolve();
    },
  };
}
