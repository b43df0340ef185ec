import type { Command } from 'commander';
import { AppError } from '#shared/errors/app-error.ts';
import type { TransferFilter } from '#shared/transfer/transfer-filter.ts';
import { nextState } from '#shared/transfer/next-state.ts';
import { transferPrioritySchema, type Transfer } from '#shared/transfer/transfer.ts';
import { parsePositive } from '../../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { toExitCode } from '../exit-code.ts';
import { describePassedOver, findPassedOver } from './named-transfers.ts';
import { withQueue, type OpenedQueue } from './open-queue.ts';
import { sayCount } from './words.ts';

interface Options extends GlobalOptions {
  order?: number;
  all?: boolean;
}

/** What a change did, in a sentence, with numbers for scripts. */
interface Done {
  text: string;
  /** What it did not do. */
  notes?: string[];
  data: Record<string, unknown>;
}

interface Change {
  name: string;
  description: string;
  /** What is done where nothing is named; null where something has to be. */
  whole: ((opened: OpenedQueue) => Promise<Done>) | null;
  /** Whether it means anything to a transfer as it is. */
  appliesTo: (transfer: Transfer) => boolean;
  some: (opened: OpenedQueue, filter: TransferFilter) => Promise<Done>;
}

const changes: readonly Change[] = [
  {
    name: 'pause',
    description: 'stop the whole queue until it is resumed; or only the transfers that are named',
    whole: async ({ queue }) => {
      await queue.pauseQueue({});
      return { text: 'the queue is paused', data: { isPaused: true } };
    },
    appliesTo: ({ state }) => nextState(state, 'pause') !== null,
    some: ({ queue, askKey }, filter) =>
      queue.pause(filter, { askKey }).then(({ count }) => toDone('paused', count)),
  },
  {
    name: 'resume',
    description: 'let the whole queue go on; or only the transfers that are named',
    whole: async (opened) => {
      await opened.queue.resumeQueue({});
      return { text: `the queue goes on: ${sayWhen(opened)}`, data: { isPaused: false } };
    },
    appliesTo: ({ state, finding }) =>
      finding !== null || nextState(state, 'resume') !== null || nextState(state, 'retry') !== null,
    some: ({ queue, askKey }, filter) =>
      queue.resume(filter, { askKey }).then(({ count }) => toDone('resumed', count)),
  },
  {
    name: 'retry',
    description:
      'queue again what failed, or was found missing or changed; all of it, or only the transfers that are named',
    whole: (opened) => retry(opened, {}),
    appliesTo: ({ state, finding }) => finding !== null || state === 'failed',
    some: retry,
  },
  {
    name: 'cancel',
    description: 'cancel the transfers that are named; for a while swath queue undo has them back',
    whole: null,
    appliesTo: ({ state }) => nextState(state, 'cancel') !== null,
    some: async ({ queue, askKey, ownerPid }, filter) => {
      const { cancelId, count, undoUntil } = await queue.cancel(filter, { askKey });
      const end = ownerPid === null ? ', or until the queue runs again' : '';
      const undo = `. swath queue undo ${cancelId} has them back until ${undoUntil}${end}`;
      const text = `cancelled: ${sayCount(count, 'transfer')}${count === 0 ? '' : undo}`;
      return { text, data: { cancelId, count, undoUntil } };
    },
  },
  {
    name: 'remove',
    description: 'take transfers that are at their end off the list; files and history stay',
    whole: null,
    appliesTo: ({ state }) => state === 'done' || state === 'failed' || state === 'cancelled',
    some: ({ queue, askKey }, filter) =>
      queue.remove(filter, { askKey }).then(({ count }) => toDone('removed', count)),
  },
];

/** `swath queue pause`, `resume`, `retry`, `cancel`, `undo`, `remove`, `priority` and `dismiss`. */
export function addChangeCommands(queue: Command, context: CommandContext): void {
  for (const change of changes) addChange(queue, context, change);

  queue
    .command('undo')
    .description('take a cancellation back')
    .argument('<number>', 'the number that swath queue cancel printed', parsePositive)
    .action(async function (this: Command, cancelId: number) {
      await perform(this, context, ({ queue, askKey }) =>
        queue.undoCancel({ cancelId }, { askKey }).then(({ count }) => {
          if (count > 0) return toDone('taken back', count);
          throw new AppError(
            'transfer.not-found',
            `Nothing is left to be had back of cancellation ${cancelId}`,
          );
        }),
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
      const some: Change['some'] = ({ queue, askKey }, which) =>
        queue
          .prioritise({ which, priority: priority.data }, { askKey })
          .then(({ count }) => toDone(`now ${priority.data}`, count));
      await perform(this, context, (opened) =>
        changeSome(opened, { filter, some, appliesTo: () => true }, context),
      );
    });

  queue
    .command('dismiss')
    .description('say no longer that the queue was damaged and built anew')
    .action(async function (this: Command) {
      await perform(this, context, async (opened) => {
        await opened.queue.dismissNotice({});
        return { text: 'the notice is gone', data: { notice: null } };
      });
    });
}

function addChange(
  queue: Command,
  context: CommandContext,
  { name, description, whole, some, appliesTo }: Change,
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
    await perform(this, context, (opened) =>
      filter === null && whole !== null
        ? whole(opened)
        : changeSome(opened, { filter: filter ?? {}, some, appliesTo }, context),
    );
  });
}

async function changeSome(
  opened: OpenedQueue,
  { filter, some, appliesTo }: Pick<Change, 'some' | 'appliesTo'> & { filter: TransferFilter },
  context: CommandContext,
): Promise<Done> {
  const passedOver = await findPassedOver(opened, { filter, appliesTo }, context);
  const { text, data } = await some(opened, filter);
  if (passedOver === null) return { text, data };
  // As it ends where none of the numbers is a transfer's.
  if (passedOver.unknown.length > 0) context.endWith(toExitCode('transfer.not-found'));
  return {
    text,
    notes: describePassedOver(passedOver, filter),
    data: { ...data, ...passedOver },
  };
}

async function perform(
  command: Command,
  context: CommandContext,
  change: (opened: OpenedQueue) => Promise<Done>,
): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  await withQueue(options, context, {
    work: async (opened) => {
      const { text, notes = [], data } = await change(opened);
      if (options.json) await context.stdout.writeJson(data);
      else for (const line of [text, ...notes]) context.say(line);
    },
  });
}

async function retry(opened: OpenedQueue, filter: TransferFilter): Promise<Done> {
  const { queue, askKey } = opened;
  // Of those that are done, the ones whose file was found missing or changed.
  const { count } = await queue.resume({ ...filter, states: ['failed', 'done'] }, { askKey });
  return { text: `queued again: ${sayCount(count, 'transfer')}; ${sayWhen(opened)}`, data: { count } };
}

function sayWhen({ ownerPid }: OpenedQueue): string {
  return ownerPid === null
    ? 'it works when the window is open, or with swath queue run'
    : `process ${String(ownerPid)} works it`;
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
