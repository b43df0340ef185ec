import { InvalidArgumentError, type Command } from 'commander';
import { fitsFilter, type TransferFilter } from '#shared/transfer/transfer-filter.ts';
import { transferStates, type Transfer, type TransferState } from '#shared/transfer/transfer.ts';
import { parsePositive } from '../../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { describeNotice } from './describe-notice.ts';
import { withQueue } from './open-queue.ts';
import { readQueue, throwIfNoOrder } from './read-queue.ts';
import { sayBytes, sayCount, sayProblem } from './words.ts';

interface Options extends GlobalOptions {
  order?: number;
  state?: TransferState[];
}

/** `swath queue list`: the transfers of the queue, in its order. */
export function addListCommand(queue: Command, context: CommandContext): void {
  queue
    .command('list')
    .description('print the transfers in the order of the queue, one a line; as JSON with --json')
    .option('--order <number>', 'only those of this order', parsePositive)
    .option('--state <states>', `only those in these states: ${transferStates.join(', ')}`, parseStates)
    .action(async function (this: Command) {
      const { order, state, ...options } = this.optsWithGlobals<Options>();
      const filter: TransferFilter = {
        ...(order === undefined ? {} : { downloadId: order }),
        ...(state === undefined ? {} : { states: state }),
      };
      await withQueue(options, context, {
        isReading: true,
        work: async ({ queue }) => {
          await throwIfNoOrder(queue, order);
          const { transfers: all, orders, status } = await readQueue(queue, context);
          const transfers = all.filter((one) => fitsFilter(one, filter));
          if (options.json) {
            await context.stdout.writeJson({ queue: status, orders, transfers });
            return;
          }
          const notice = describeNotice(status);
          if (notice !== null) context.say(notice);
          for (const one of transfers) if (!(await context.stdout.writeLine(...toCells(one)))) break;
          const { isPaused, leftBytes, unknownCount } = status;
          const left = `${sayBytes(leftBytes)} to come in the whole queue${unknownCount > 0 ? `, and ${unknownCount} of unknown size` : ''}`;
          context.say(
            `${sayCount(transfers.length, 'transfer')}; ${left}${isPaused ? '; the queue is paused' : ''}`,
          );
        },
      });
    });
}

/** The states in a comma-separated list. */
export function parseStates(text: string): TransferState[] {
  return text.split(',').map((name) => {
    const found = transferStates.find((state) => state === name.trim());
    if (found) return found;
    throw new InvalidArgumentError(`States are ${transferStates.join(', ')}.`);
  });
}

function toCells(transfer: Transfer): (string | number)[] {
  const { transferId, downloadId, state, collectionId, itemId, assetKey } = transfer;
  const why = describeWhy(transfer);
  return [transferId, downloadId, state, describeAmount(transfer), collectionId, itemId, assetKey, why];
}

function describeAmount({ receivedBytes, totalBytes }: Transfer): string {
  const whole = totalBytes === null ? '?' : sayBytes(totalBytes);
  return receivedBytes === totalBytes ? whole : `${sayBytes(receivedBytes)} of ${whole}`;
}

function describeWhy({ state, waiting, error, finding, filePath, undoUntil }: Transfer): string {
  if (waiting)
    return `${sayProblem(waiting.error)}${waiting.resumeAt === null ? '' : `; goes on at ${waiting.resumeAt}`}`;
  if (finding) return finding === 'missing' ? 'the file is not there any more' : 'the file was changed';
  if (undoUntil !== null) return `can be taken back until ${undoUntil}`;
  if (state === 'done') return filePath ?? '';
  return error?.message ?? '';
}
