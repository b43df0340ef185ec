import { runCommandLine } from './command-line/run-command-line.ts';
import { boundYoungGeneration } from './host/bound-young-generation.ts';
import { onEndingSignal } from './host/end-on-signal.ts';

boundYoungGeneration();
const ending = new AbortController();
onEndingSignal(() => ending.abort());

process.exitCode = await runCommandLine(process.argv.slice(2), { signal: ending.signal });
