import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';

// `npm test` names the one that it has built; a test by itself runs the sources as they are.
const entry = process.env['SWATH_CLI'] ?? join(import.meta.dirname, '..', '..', 'cli.ts');

/** How a command ended, and what it wrote. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts `swath` in a process of its own, with no token unless one is given; in this folder, as this user. */
export function startSwath(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  other: { cwd?: string; uid?: number; gid?: number } = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [entry, ...args], {
    ...other,
    env: { ...process.env, SWATH_TOKEN: '', ...env },
  });
}

/** Runs `swath` with an output that goes into a file; that one is empty in the outcome. */
export async function runSwathInto(
  file: string,
  output: 'stdout' | 'stderr',
  { args, env }: { args: string[]; env: NodeJS.ProcessEnv },
): Promise<Outcome> {
  const descriptor = openSync(file, 'w');
  const [stdout, stderr] =
    output === 'stdout' ? [descriptor, 'pipe' as const] : ['pipe' as const, descriptor];
  const child = spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', stdout, stderr],
    env: { ...process.env, ...env },
  });
  closeSync(descriptor);
  const [code, ...told] = await Promise.all([
    once(child, 'close').then(([ended]) => ended as number | null),
    ...[child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))),
  ]);
  return { code, stdout: told[0] ?? '', stderr: told[1] ?? '' };
}

/** Waits for the end of a command. */
export async function collectOutcome(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** The first line that a command writes. */
export async function readFirstLine(child: ChildProcessWithoutNullStreams): Promise<string> {
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return line;
}

/** The lines of an output, without the empty one at its end. */
export function toLines(output: string): string[] {
  return output.split('\n').filter((line) => line !== '');
}
