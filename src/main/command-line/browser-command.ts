import type { Command } from 'commander';
import { parsePort, parsePositive } from '../host/parse-option.ts';
import { readConnection } from '../host/read-connection.ts';
import type { CommandContext, GlobalOptions } from './command-context.ts';
import { waitForAbort } from './wait-for-abort.ts';

/** `swath browser`: the window in this computer's browser, until ended. */
export function addBrowserCommand(program: Command, context: CommandContext): void {
  program
    .command('browser')
    .description(
      'serve the window to a browser on this computer until ended; prints {"url"}, which works once',
    )
    .option('--port <number>', 'port on 127.0.0.1; 0 means any free one', parsePort, 0)
    .option('--demo-items <number>', 'items of the demo catalog', parsePositive)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { port: number; demoItems?: number }>();
      const { runBrowserShell } = await import('../browser/run-browser-shell.ts');
      const connection = readConnection(options, context.env);
      const announce = (url: string): void => void context.stdout.write(`${JSON.stringify({ url })}\n`);
      const { dataDir, port } = options;
      const shell = await runBrowserShell({ dataDir, port, announce, connection });
      try {
        await waitForAbort(context.signal);
      } finally {
        await shell.close();
      }
    });
}
