import { Option, type Command } from 'commander';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import { parsePositive } from '../../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import {
  describeReport,
  describeWaiting,
  lostWords,
  nextStepWords,
  unverifiedWords,
} from './describe-report.ts';
import { readNotice } from './describe-notice.ts';
import { withQueue } from './open-queue.ts';

interface Options extends GlobalOptions {
  order?: number;
  format: 'text' | 'csv';
}

/** `swath queue report`: what became of an order, or of all. */
export function addReportCommand(queue: Command, context: CommandContext): void {
  queue
    .command('report')
    .description(
      'print what was done and verified, done and not verifiable, failed, and is still to come; as JSON with --json',
    )
    .option('--order <number>', 'only of this order', parsePositive)
    .addOption(
      new Option('--format <format>', 'csv: one line for each file but those that are verified')
        .choices(['text', 'csv'])
        .default('text'),
    )
    .action(async function (this: Command) {
      const options = this.optsWithGlobals<Options>();
      await withQueue(options, context, {
        isReading: true,
        work: async ({ queue }) => {
          const report = await queue.report({ downloadId: options.order ?? null });
          if (options.json) await context.stdout.writeJson(report);
          else {
            const notice = await readNotice(queue, context.signal);
            if (notice !== null) context.say(notice);
            if (options.format === 'csv') {
              const { toCsv } = await import('../../backend/commands.ts');
              await context.stdout.writeText(toCsv(toRecords(report)).trimEnd());
            } else
              for (const line of describeReport(report)) if (!(await context.stdout.writeLine(line))) break;
          }
        },
      });
    });
}

function toRecords({ unverified, lost, failed, waiting }: TransferReport): unknown[][] {
  return [
    ['fate', 'order', 'collection', 'item', 'asset', 'bytes', 'file', 'why', 'next'],
    ...unverified.map((line) =>
      toRecord(line, { fate: 'done, not verifiable', why: unverifiedWords[line.why] }),
    ),
    ...lost.map((line) =>
      toRecord(line, { fate: line.finding, why: lostWords[line.finding], next: nextStepWords.retry }),
    ),
    ...failed.map((line) =>
      toRecord(line, { fate: 'failed', why: line.error.message, next: nextStepWords[line.nextStep] }),
    ),
    ...waiting.map((line) => toRecord(line, { fate: line.state, why: describeWaiting(line) })),
  ];
}

function toRecord(
  line: Omit<TransferReport['lost'][number], 'finding'>,
  told: { fate: string; why: string; next?: string },
): unknown[] {
  const { orderTitle, collectionId, itemId, assetKey, sizeBytes, filePath } = line;
  return [told.fate, orderTitle, collectionId, itemId, assetKey, sizeBytes, filePath, told.why, told.next];
}
