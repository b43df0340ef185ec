import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A command of the built `swath` that runs until it is stopped. */
export interface RunningProgram<Greeting> {
  /** Its first line of output, which is JSON. */
  greeting: Greeting;
  /** Ends it as a person would; may be called again. */
  stop(): Promise<void>;
  /** Has the system let it do nothing, and again do as it likes. */
  hold(): void;
  letGo(): void;
}

/** Starts a command and waits for its first line. */
export async function startProgram<Greeting>(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<RunningProgram<Greeting>> {
  const child = spawn(process.execPath, [join('out', 'main', 'cli.js'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const refuse = ended.then((): never => {
    throw new Error(`swath ${args.join(' ')} ended before it was ready`);
  });
  const firstLine = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const [line] = await Promise.race([firstLine, refuse]);
  refuse.catch(() => undefined);
  return {
    greeting: JSON.parse(line) as Greeting,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
    hold: () => void child.kill('SIGSTOP'),
    letGo: () => void child.kill('SIGCONT'),
  };
}
