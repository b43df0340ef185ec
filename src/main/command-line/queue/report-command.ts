import { Option, type Command } from 'commander';
import type { TransferReport } from '#shared/transfer/transfer-report.ts';
import { parsePositive } from '../../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { describeReport, describeWaiting, nextStepWords, unverifiedWords } from './describe-report.ts';
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
            const { stdout } = context;
            const isCsv = options.format === 'csv';
            const lines = isCsv ? toCsv(report) : describeReport(report);
            for (const line of lines)
              if (!(await (isCsv ? stdout.writeText(line) : stdout.writeLine(line)))) break;
          }
        },
      });
    });
}

function toCsv(report: TransferReport): string[] {
  const { unverified, lost, failed, waiting } = report;
  const rows = [
    ...unverified.map((line) => ({
      line,
      fate: 'done, not verifiable',
      why: unverifiedWords[line.why],
      next: '',
    })),
    ...lost.map((line) => ({ line, fate: line.finding, why: '', next: '' })),
    ...failed.map((line) => ({
      line,
      fate: 'failed',
      why: line.error.message,
      next: nextStepWords[line.nextStep],
    })),
    ...waiting.map((line) => ({ line, fate: line.state, why: describeWaiting(line), next: '' })),
  ];
  const head = ['fate', 'order', 'collection', 'item', 'asset', 'bytes', 'file', 'why', 'next'];
  const cells = rows.map(({ line, fate, why, next }) => [
    fate,
    line.orderTitle,
    line.collectionId,
    line.itemId,
    line.assetKey,
    line.sizeBytes ?? '',
    line.filePath ?? '',
    why,
    next,
  ]);
  return [head, ...cells].map((row) => row.map((cell) => toCell(String(cell))).join(','));
}

// RFC 4180. A spreadsheet would run a cell that begins like a formula.
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
