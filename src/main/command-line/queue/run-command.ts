import type { Command } from 'commander';
import { AppError } from '#shared/errors/app-error.ts';
import { isSettled, transferStates } from '#shared/transfer/transfer.ts';
import { createHostSystem } from '../../host/system-port.ts';
import { parseWholeNumber } from '../../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { createStandstill } from '../standstill.ts';
import { describeReport } from './describe-report.ts';
import { withQueue, type OpenedQueue } from './open-queue.ts';
import { createQueueProgress } from './queue-progress.ts';

interface Options extends GlobalOptions {
  patience: number;
}

// As long as a timer of the system can be: some 24 days.
const longestPatienceSeconds = 2_000_000;

const help = `
Works the queue that the window shows, and ends when nothing can go on by itself. What waits for the network, the disk
or an hour of the schedule goes on by itself; --patience says for how long to wait for the network and the disk.
Ctrl-C brings every file to a point from which it goes on, and ends with 1: the next run goes on there.
Ends with 0 when everything in the queue is done, 1 when something failed, 3 when only a login helps, 4 when the network
was away for too long, 5 while the window or another command has the queue, 6 when something or all of it is paused.
`;

/** `swath queue run`: works the queue until nothing can go on by itself. */
export function addRunCommand(queue: Command, context: CommandContext): void {
  queue
    .command('run')
    .description('bring home what is in the queue; prints what became of it')
    .option(
      '--patience <seconds>',
      'give up when nothing has come for so long (default: never)',
      (text) => parseWholeNumber(text, { min: 1, max: longestPatienceSeconds }),
      longestPatienceSeconds,
    )
    .addHelpText('after', help)
    .action(async function (this: Command) {
      const options = this.optsWithGlobals<Options>();
      await withQueue(options, context, {
        system: createHostSystem({ platform: process.platform }),
        work: async (queue) => {
          await run(queue, { options, context });
        },
      });
    });
}

async function run(
  queue: OpenedQueue,
  { options, context }: { options: Options; context: CommandContext },
): Promise<void> {
  const { downloads } = queue;
  refuseUnknownCatalogs(queue);
  const isQuiet = options.json === true;
  const standstill = createStandstill(options.patience * 1000);
  const progress = createQueueProgress({ ...context, isQuiet });
  try {
    await untilNothingGoesOn(queue, {
      signal: AbortSignal.any([context.signal, standstill.signal]),
      standstill,
      progress,
    });
  } catch (thrown) {
    progress.end();
    if (!standstill.signal.aborted) {
      if (!isQuiet) context.say('stopped; swath queue run goes on from here');
      throw thrown;
    }
    throw standstill.signal.reason;
  } finally {
    standstill.stop();
    progress.end();
  }
  const report = downloads.report(null);
  if (isQuiet) await context.stdout.writeJson(report);
  else for (const line of describeReport(report)) await context.stdout.write(`${line}\n`);
  const { counts, isPaused } = downloads.status();
  if (isPaused && !isQuiet) context.say('the queue is paused: swath queue resume');
  const openCount = transferStates
    .filter((state) => !isSettled(state))
    .reduce((sum, state) => sum + counts[state], 0);
  if (counts.failed > 0) context.endWith(exitCodes.failed);
  else if (counts.paused + openCount > 0) context.endWith(exitCodes.unfinished);
}

interface Watching {
  signal: AbortSignal;
  standstill: ReturnType<typeof createStandstill>;
  progress: ReturnType<typeof createQueueProgress>;
}

function untilNothingGoesOn(
  { downloads }: OpenedQueue,
  { signal, standstill, progress }: Watching,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      stop();
      reject(new AppError('cancelled', 'The queue was stopped'));
    };
    const stop = downloads.watch((changes) => {
      progress.update(changes);
      standstill.update(changes.changed);
      const { counts, isPaused } = changes.queue;
      if (!changes.isComplete) return;
      if (!isPaused && transferStates.some((state) => !isSettled(state) && counts[state] > 0)) return;
      signal.removeEventListener('abort', onAbort);
      // The watch may tell before it can be stopped.
      queueMicrotask(() => stop());
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

// They would all fail for want of a catalog, and have to be tried again one by one.
function refuseUnknownCatalogs({ downloads, ...queue }: OpenedQueue): void {
  const open = new Set(
    downloads.transfers().flatMap(({ state, downloadId }) => (isSettled(state) ? [] : [downloadId])),
  );
  const lost = downloads
    .orders()
    .filter(({ downloadId, connectionId }) => open.has(downloadId) && !queue.isKnown(connectionId));
  const [first] = lost;
  if (!first) return;
  const orders = lost.map(({ downloadId }) => String(downloadId)).join(', ');
  throw new AppError(
    'connection.not-found',
    `The catalog of order ${orders} is not set up here. Name it with --base-url or --connection, as when it was ordered; or pause the order.`,
    { details: { connectionId: first.connectionId } },
  );
}
