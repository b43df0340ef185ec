import { Command } from 'commander';
import { createInterface } from 'node:readline';
import { hasDisplay, openUrl } from './browser/open-url.ts';
import { runBrowserShell } from './browser/run-browser-shell.ts';
import { readConnection } from './host/read-connection.ts';
import { parsePort } from './host/parse-option.ts';
import { endOnSignal } from './host/end-on-signal.ts';

interface BrowserEntryOptions {
  port: number;
  dataDir?: string;
  baseUrl?: string;
  token?: string;
  demoItems?: number;
  open: boolean;
}

// What `npm start` runs where there is no Electron: prints for people; `swath browser` prints for scripts.
const program = new Command('swath-browser')
  .description("Opens Swath in this computer's own browser.")
  .option('--port <number>', 'port on 127.0.0.1; 0 means any free one', parsePort, 0)
  .option('--data-dir <folder>', 'where the library, the queue and the settings are kept')
  .option('--base-url <url>', 'the catalog to connect to instead of the demo catalog')
  .option('--token <token>', 'access token for that catalog; better given in SWATH_TOKEN')
  .option('--no-open', "don't open the browser");

try {
  const options = program.parse().opts<BrowserEntryOptions>();
  const shell = await runBrowserShell({
    dataDir: options.dataDir,
    port: options.port,
    connection: readConnection(options, process.env),
  });
  const url = shell.issueUrl();
  process.stdout.write(
    `Swath is running. Open this address, which works once:\n\n  ${url}\n\nCtrl-C ends it.\n`,
  );
  if (options.open && hasDisplay(process.platform, process.env)) openUrl(url);
  if (process.stdin.isTTY) {
    process.stdout.write('Enter prints a new address.\n');
    createInterface({ input: process.stdin }).on('line', () =>
      process.stdout.write(`  ${shell.issueUrl()}\n`),
    );
  }
  endOnSignal(() => shell.close());
} catch (thrown) {
  process.stderr.write(`swath: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
}
