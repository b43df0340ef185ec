import { runCommandLine } from './command-line/run-command-line.ts';
import { boundHeaps } from './host/bound-heaps.ts';
import { onEndingSignal } from './host/end-on-signal.ts';
import { outliveFileLimit } from './host/outlive-file-limit.ts';

boundHeaps();
outliveFileLimit();
const ending = new AbortController();
onEndingSignal(() => ending.abort());

process.exitCode = await runCommandLine(process.argv.slice(2), { signal: ending.signal });
