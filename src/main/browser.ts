import { Command } from 'commander';
import { hasDisplay, openUrl } from './browser/open-url.ts';
import { runBrowserShell } from './browser/run-browser-shell.ts';
import { boundHeaps } from './host/bound-heaps.ts';
import { endOnSignal } from './host/end-on-signal.ts';
import { outliveFileLimit } from './host/outlive-file-limit.ts';
import { parsePort, parsePositive } from './host/parse-option.ts';
import { readConnection } from './host/read-connection.ts';

interface BrowserEntryOptions {
  port: number;
  dataDir?: string;
  connection?: string;
  baseUrl?: string;
  token?: string;
  demoItems?: number;
  open: boolean;
}

// What `npm start` runs where there is no Electron: it prints for people; `swath browser` prints for scripts.
const options = new Command('swath-browser')
  .description("Opens Swath in this computer's own browser.")
  .option('--port <number>', 'port on 127.0.0.1; 0 means any free one', parsePort, 0)
  .option('--data-dir <folder>', 'where the library, the queue and the settings are kept')
  .option('--connection <name>', 'the catalog to begin with: its name or id in the settings')
  .option('--base-url <url>', 'the catalog to connect to instead of the one last used')
  .option('--token <token>', 'access token for that catalog; better given in SWATH_TOKEN')
  .option('--demo-items <number>', 'items of the demo catalog', parsePositive)
  .option('--no-open', "don't open the browser")
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<BrowserEntryOptions>();

let isFirst = true;
boundHeaps();
outliveFileLimit();

function announce(url: string): void {
  if (isFirst) {
    process.stdout.write(
      `Swath is running. Open this address, which works once:\n\n  ${url}\n\nCtrl-C ends it.\n`,
    );
    if (options.open && hasDisplay(process.platform, process.env)) openUrl(url);
  } else {
    process.stdout.write(`Opened. For another browser:\n\n  ${url}\n\n`);
  }
  isFirst = false;
}

try {
  const { dataDir, port } = options;
  const connection = readConnection(options, process.env);
  const shell = await runBrowserShell({ dataDir, port, announce, connection });
  endOnSignal(() => shell.close());
} catch (thrown) {
  process.stderr.write(`swath: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
}
