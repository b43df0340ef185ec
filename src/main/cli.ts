import { runCommandLine } from './command-line/run-command-line.ts';

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Asked twice, it doesn't wait for anything.
    if (ending.signal.aborted) process.exit(1);
    ending.abort();
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2), { signal: ending.signal });
