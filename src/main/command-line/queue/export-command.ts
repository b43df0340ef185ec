import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import { AppError } from '#shared/errors/app-error.ts';
import type { commandContract } from '#shared/rpc/command-contract.ts';
import { handoverTools, type HandoverTool } from '#shared/transfer/handover-tool.ts';
import { parsePositive } from '../../host/parse-option.ts';
import type { CommandContext, GlobalOptions } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { iterate } from './iterate.ts';
import { withQueue } from './open-queue.ts';
import { throwIfNoOrder } from './read-queue.ts';
import { sayCount } from './words.ts';

interface Options extends GlobalOptions, Partial<Record<HandoverTool, boolean>> {
  order?: number;
  to?: string;
  tokenFile: string;
}

const saidEveryMs = 5000;

const help = `
Prints the files that are still to come in the form that the tool reads, named as Swath would name them. No secret is in
it: no token, and no address that carries a permission. Addresses of the catalog's proxy are for curl alone: aria2 and
rclone would send the token on to the storage that the proxy leads to. s3:// files are for rclone and s5cmd.
The files stay in the queue. When the tool has put them in the folder of their order, swath queue run finds those that
have a checksum there, verifies them and notes them as done.
Ends with 6 when some can't be handed over; which and why is on standard error.
`;

/** `swath queue export`: the files to come in the form of another tool. */
export function addExportCommand(queue: Command, context: CommandContext): void {
  const command = queue
    .command('export')
    .description("hand the files to come to a bigger machine's own tool, without secrets")
    .option('--order <number>', 'only those of this order', parsePositive)
    .option('--to <folder>', 'the folder on the other machine (default: that of each order)')
    .option(
      '--token-file <path>',
      'with --curl: where the header with the token will be',
      'swath-authorization.txt',
    );
  for (const tool of handoverTools) command.option(`--${tool}`, `for ${tool}`);
  command.addHelpText('after', help).action(async function (this: Command) {
    const options = this.optsWithGlobals<Options>();
    const [tool, ...others] = handoverTools.filter((name) => options[name]);
    if (!tool || others.length > 0) {
      const why = `name one of ${handoverTools.map((name) => `--${name}`).join(', ')}`;
      throw new AppError('input.invalid', why, { details: { field: 'tool', why } });
    }
    await withQueue(options, context, {
      isReading: true,
      work: async ({ queue }) => {
        await throwIfNoOrder(queue, options.order);
        const { handoverHints } = await import('../../backend/commands.ts');
        const { tokenFile, order, to } = options;
        const folder = to === undefined ? null : to.startsWith('/') ? to : resolve(to);
        const wish = { tool, downloadId: order ?? null, folder, tokenFile };
        const { handedCount, lines, left } = await gather(
          iterate(queue.handOver, wish, context.signal),
          createCounter(context.say),
        );
        for (const line of left) context.say(line);
        for (const line of lines) if (!(await context.stdout.writeText(line))) break;
        context.say(`${sayCount(handedCount, 'file')} for ${tool}; ${left.length} not handed over`);
        if (handedCount > 0) for (const line of handoverHints[tool]({ tokenFile })) context.say(line);
        if (left.length > 0) context.endWith(exitCodes.unfinished);
      },
    });
  });
}

type Part = z.infer<(typeof commandContract.queue.handOver)['event']>['part'];

// To its end, before any of it is printed: a program that ends in the middle leaves half, and the next one tells all.
async function gather(
  parts: AsyncIterable<{ part: Part }>,
  onFile: () => void,
): Promise<{ handedCount: number; lines: string[]; left: string[] }> {
  const [lines, left]: [string[], string[]] = [[], []];
  let handedCount = 0;
  for await (const { part } of parts) {
    if (part === null) break;
    if ('why' in part || part.isFile) onFile();
    if ('why' in part) left.push(`not handed over: ${part.itemId} ${part.assetKey}: ${part.why}`);
    else {
      handedCount += Number(part.isFile);
      lines.push(...part.lines);
    }
  }
  return { handedCount, lines, left };
}

// A catalog may be asked for each item, and take seconds for it.
function createCounter(say: (line: string) => void): () => void {
  let count = 0;
  let saidAtMs = performance.now();
  return () => {
    count += 1;
    if (performance.now() - saidAtMs < saidEveryMs) return;
    saidAtMs = performance.now();
    say(`${sayCount(count, 'file')} looked up …`);
  };
}
