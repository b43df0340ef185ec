import { runCommandLine } from './command-line/run-command-line.ts';
import { boundHeaps } from './host/bound-heaps.ts';
import { onEndingSignal } from './host/end-on-signal.ts';

boundHeaps();
// A file that grows beyond what the system allows is an error of the disk, and no reason to die of (setrlimit(2)).
process.on('SIGXFSZ', () => undefined);
const ending = new AbortController();
onEndingSignal(() => ending.abort());

process.exitCode = await runCommandLine(process.argv.slice(2), { signal: ending.signal });
