import type { Command } from 'commander';
import { AppError } from '#shared/errors/app-error.ts';
import { countUnsettled, type QueueStatus } from '#shared/transfer/queue-status.ts';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import { createHostSystem } from '../../host/system-port.ts';
import { parseWholeNumber } from '../../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import { createStandstill } from '../standstill.ts';
import { describeReport } from './describe-report.ts';
import { iterate } from './iterate.ts';
import { withQueue, type OpenedQueue } from './open-queue.ts';
import { createQueueProgress } from './queue-progress.ts';

interface Options extends GlobalOptions {
  patience?: number;
}

// As long as a timer of the system can be: some 24 days.
const longestPatienceSeconds = 2_000_000;

const help = `
Works the queue that the window shows, and ends when nothing can go on by itself. What waits for the network, the disk
or an hour of the schedule goes on by itself; --patience says for how long to wait for the network and the disk.
Ctrl-C brings every file to a point from which it goes on, and ends with 1: the next run goes on there.
While the window or another run works the queue, this only follows it: Ctrl-C leaves that one at work. When that one
ends, this works the queue itself.
Ends with 0 when everything in the queue is done, 1 when something failed, is known to be missing or changed since, or the
queue was damaged and had to be built anew, 3 when only a login helps, 4 when the network was away for too long, 6 when something or all of it is paused.
`;

/** `swath queue run`: works the queue until nothing can go on by itself. */
export function addRunCommand(queue: Command, context: CommandContext): void {
  queue
    .command('run')
    .description('bring home what is in the queue; prints what became of it')
    .option('--patience <seconds>', 'give up when nothing has come for so long; never without it', (text) =>
      parseWholeNumber(text, { min: 1, max: longestPatienceSeconds }),
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
  opened: OpenedQueue,
  { options, context }: { options: Options; context: CommandContext },
): Promise<void> {
  const { queue, ownerPid } = opened;
  const isQuiet = options.json === true;
  if (ownerPid === null) await refuseStranded(opened);
  else if (!isQuiet) context.say(`process ${String(ownerPid)} has the queue and works it; this only follows`);
  const standstill = createStandstill((options.patience ?? longestPatienceSeconds) * 1000);
  const progress = createQueueProgress({ ...context, isQuiet });
  let status: QueueStatus;
  try {
    status = await untilNothingGoesOn(opened, {
      signal: AbortSignal.any([context.signal, standstill.signal]),
      standstill,
      progress,
    });
  } catch (thrown) {
    progress.end();
    if (standstill.signal.aborted) throw standstill.signal.reason;
    if (!isQuiet && context.signal.aborted) context.say(sayStopped(ownerPid));
    throw thrown;
  } finally {
    standstill.stop();
    progress.end();
  }
  const report = await queue.report({ downloadId: null });
  if (isQuiet) await context.stdout.writeJson(report);
  else for (const line of describeReport(report)) await context.stdout.writeLine(line);
  if (status.isPaused && !isQuiet) context.say('the queue is paused: swath queue resume');
  context.endWith(judgeEnd(status, report));
}

function judgeEnd({ counts, notice }: QueueStatus, { lost }: TransferReport): ExitCode {
  // Of what this run lost nobody can say that it is done.
  const isRebuiltNow = notice !== null && Date.parse(notice.at) >= performance.timeOrigin;
  if (counts.failed + lost.length > 0 || isRebuiltNow) return exitCodes.failed;
  return counts.paused + countUnsettled(counts) > 0 ? exitCodes.unfinished : exitCodes.done;
}

function sayStopped(ownerPid: number | null): string {
  return ownerPid === null
    ? 'stopped; swath queue run goes on from here'
    : `no longer followed; process ${String(ownerPid)} goes on with the queue`;
}

interface Watching {
  signal: AbortSignal;
  standstill: ReturnType<typeof createStandstill>;
  progress: ReturnType<typeof createQueueProgress>;
}

async function untilNothingGoesOn(
  { queue }: OpenedQueue,
  { signal, standstill, progress }: Watching,
): Promise<QueueStatus> {
  for await (const changes of iterate(queue.watch, {}, signal)) {
    progress.update(changes);
    standstill.update(changes.changed, changes.queue.hold);
    const { hold } = changes.queue;
    // Nothing goes on in this process any more.
    if (hold?.error.code === 'library.corrupt') throw AppError.fromData(hold.error);
    if (!changes.isComplete) continue;
    const { counts, isPaused } = changes.queue;
    if (isPaused || countUnsettled(counts) === 0) return changes.queue;
  }
  throw new Error('A queue that is watched has no end');
}

// They would all fail for want of a catalog, and have to be tried again one by one.
async function refuseStranded({ queue }: OpenedQueue): Promise<void> {
  const { orders } = await queue.strandedOrders({});
  const [first] = orders;
  if (!first) return;
  const numbers = orders.map(({ downloadId }) => String(downloadId)).join(', ');
  throw new AppError(
    'connection.not-found',
    `The catalog of order ${numbers} is not set up here. Name it with --base-url or --connection, as when it was ordered; or pause the order.`,
    { details: { connectionId: first.connectionId } },
  );
}
