import type { Command } from 'commander';
import { systemClock } from '../backend/ports.ts';
import { makeDataFolder } from '../host/make-data-folder.ts';
import { parsePort, parsePositive, parseWholeNumber } from '../host/parse-option.ts';
import { findUserFolders } from '../host/user-folders.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { waitForAbort } from './wait-for-abort.ts';

interface Options extends GlobalOptions {
  port: number;
  items: number;
  seed: number;
  linkTtl?: number;
  maxConcurrent?: number;
}

/** `swath demo`: serves the demo catalog until ended. */
export function addDemoCommand(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .description('serve the demo catalog on this computer until ended; prints {"baseUrl","assetUrl","token"}')
    .option('--port <number>', 'port on 127.0.0.1; 0 means any free one', parsePort, 0)
    .option('--items <number>', 'items to generate', parsePositive, 20_000)
    .option(
      '--seed <number>',
      'the same seed gives the same catalog',
      (text) => parseWholeNumber(text, { min: 0, max: 2 ** 32 - 1 }),
      1,
    )
    .option('--link-ttl <seconds>', 'how long signed links are valid', parsePositive)
    .option('--max-concurrent <number>', 'requests answered at once; more get 429', parsePositive)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const { serveDemo } = await import('../backend/commands.ts');
      const token = options.token ?? context.env['SWATH_TOKEN'];
      const { dataDir } = findUserFolders(options);
      makeDataFolder(dataDir);
      const demo = await serveDemo({
        dataDir,
        port: options.port,
        itemCount: options.items,
        seed: options.seed,
        clock: systemClock,
        signal: context.signal,
        onProgress: sayProgress(options, context),
        ...(options.linkTtl === undefined ? {} : { linkTtlSeconds: options.linkTtl }),
        ...(options.maxConcurrent === undefined ? {} : { maxConcurrent: options.maxConcurrent }),
        ...(token ? { token } : {}),
      });
      try {
        const { baseUrl, assetUrl } = demo;
        await context.stdout.write(`${JSON.stringify({ baseUrl, assetUrl, token: demo.token })}\n`);
        await waitForAbort(context.signal);
      } finally {
        await demo.close();
      }
    });
}

/** Says once that the catalog is being made, and of a large one from time to time how far it is. */
function sayProgress({ json, items }: Options, { say }: CommandContext) {
  const lines = items > 100_000 ? 20 : 1;
  let said = 0;
  return ({ itemsDone, itemCount }: { itemsDone: number; itemCount: number }): void => {
    if (json === true || itemsDone < (said / lines) * itemCount) return;
    if (said === 0) say(`making the demo catalog of ${String(items)} items, once …`);
    else if (said < lines) say(`${String(Math.round((100 * said) / lines))} % of the demo catalog …`);
    said += 1;
  };
}
