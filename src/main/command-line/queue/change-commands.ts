import type { Command } from 'commander';
import { AppError } from '#shared/errors/app-error.ts';
import type { TransferFilter } from '#shared/transfer/transfer-filter.ts';
import { transferPrioritySchema } from '#shared/transfer/transfer.ts';
import { parsePositive } from '../../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { withQueue, type OpenedQueue } from './open-queue.ts';
import { sayCount } from './words.ts';

interface Options extends GlobalOptions {
  order?: number;
  all?: boolean;
}

type Downloads = OpenedQueue['downloads'];

/** What a change did, in a sentence, with numbers for scripts. */
interface Done {
  text: string;
  data: Record<string, unknown>;
}

interface Change {
  name: string;
  description: string;
  /** What is done where nothing is named; null where something has to be. */
  whole: ((downloads: Downloads) => Promise<Done>) | null;
  some: (downloads: Downloads, filter: TransferFilter) => Promise<Done>;
}

const goesOn = 'it works when the window is open, or with swath queue run';

const changes: readonly Change[] = [
  {
    name: 'pause',
    description: 'stop the whole queue until it is resumed; or only the transfers that are named',
    whole: async (downloads) => {
      await downloads.pauseQueue();
      return { text: 'the queue is paused', data: { isPaused: true } };
    },
    some: (downloads, filter) => downloads.pause(filter).then(({ count }) => toDone('paused', count)),
  },
  {
    name: 'resume',
    description: 'let the whole queue go on; or only the transfers that are named',
    whole: (downloads) => {
      downloads.resumeQueue();
      return Promise.resolve({ text: `the queue goes on: ${goesOn}`, data: { isPaused: false } });
    },
    some: (downloads, filter) => downloads.resume(filter).then(({ count }) => toDone('resumed', count)),
  },
  {
    name: 'retry',
    description: 'queue what failed again; all of it, or only the transfers that are named',
    whole: (downloads) => retry(downloads, {}),
    some: retry,
  },
  {
    name: 'cancel',
    description: 'cancel the transfers that are named; for ten minutes swath queue undo has them back',
    whole: null,
    some: async (downloads, filter) => {
      const { cancelId, count, undoUntilMs } = await downloads.cancel(filter);
      const undoUntil = new Date(undoUntilMs).toISOString();
      const text = `cancelled: ${sayCount(count, 'transfer')}. swath queue undo ${cancelId} has them back until ${undoUntil}, or until the queue runs again`;
      return { text, data: { cancelId, count, undoUntil } };
    },
  },
  {
    name: 'remove',
    description: 'take transfers that are at their end off the list; files and history stay',
    whole: null,
    some: (downloads, filter) => downloads.remove(filter).then(({ count }) => toDone('removed', count)),
  },
];

/** `swath queue pause`, `resume`, `retry`, `cancel`, `undo`, `remove` and `priority`. */
export function addChangeCommands(queue: Command, context: CommandContext): void {
  for (const change of changes) addChange(queue, context, change);

  queue
    .command('undo')
    .description('take a cancellation back')
    .argument('<number>', 'the number that swath queue cancel printed', parsePositive)
    .action(async function (this: Command, cancelId: number) {
      await perform(this, context, (downloads) =>
        downloads.undoCancel(cancelId).then(({ count }) => toDone('taken back', count)),
      );
    });

  queue
    .command('priority')
    .description('say how much sooner than others transfers run')
    .argument('<priority>', 'high, normal or low')
    .argument('[transfers...]', 'numbers of transfers, as swath queue list prints them')
    .option('--order <number>', 'all of this order', parsePositive)
    .action(async function (this: Command, text: string, ids: string[]) {
      const priority = transferPrioritySchema.safeParse(text);
      const filter = readFilter(ids, this.optsWithGlobals<Options>());
      if (!priority.success || filter === null)
        throw needsMore('priority', 'name a priority and what it is for');
      await perform(this, context, async (downloads) =>
        toDone(`now ${priority.data}`, (await downloads.prioritise(filter, priority.data)).count),
      );
    });
}

function addChange(
  queue: Command,
  context: CommandContext,
  { name, description, whole, some }: Change,
): void {
  const command = queue
    .command(name)
    .description(description)
    .argument('[transfers...]', 'numbers of transfers, as swath queue list prints them')
    .option('--order <number>', 'all of this order', parsePositive);
  if (whole === null) command.option('--all', 'all of the queue');
  command.action(async function (this: Command, ids: string[]) {
    const options = this.optsWithGlobals<Options>();
    const filter = readFilter(ids, options) ?? (options.all ? {} : null);
    if (filter === null && whole === null) throw needsMore(name, 'name transfers, or give --order or --all');
    await perform(this, context, (downloads) =>
      filter === null && whole !== null ? whole(downloads) : some(downloads, filter ?? {}),
    );
  });
}

async function perform(
  command: Command,
  context: CommandContext,
  change: (downloads: Downloads) => Promise<Done>,
): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  await withQueue(options, context, {
    work: async ({ downloads }) => {
      const { text, data } = await change(downloads);
      if (options.json) await context.stdout.writeJson(data);
      else context.say(text);
    },
  });
}

async function retry(downloads: Downloads, filter: TransferFilter): Promise<Done> {
  const { count } = await downloads.resume({ ...filter, states: ['failed'] });
  return { text: `queued again: ${sayCount(count, 'transfer')}; ${goesOn}`, data: { count } };
}

function readFilter(ids: readonly string[], { order }: Options): TransferFilter | null {
  if (ids.length === 0 && order === undefined) return null;
  return {
    ...(ids.length === 0 ? {} : { transferIds: ids.map(parsePositive) }),
    ...(order === undefined ? {} : { downloadId: order }),
  };
}

function toDone(what: string, count: number): Done {
  return { text: `${what}: ${sayCount(count, 'transfer')}`, data: { count } };
}

function needsMore(field: string, why: string): AppError {
  return new AppError('input.invalid', why, { details: { field, why } });
}
