import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A demo catalog in a process of its own, so that it can go away in the middle of something. */
export interface DemoCatalog {
  baseUrl: string;
  token: string;
  port: number;
  stop(): Promise<void>;
}

/** Starts `swath demo` with few items. */
export async function startDemoCatalog(dataDir: string): Promise<DemoCatalog> {
  const args = ['--data-dir', dataDir, 'demo', '--items', '600'];
  const child = spawn(process.execPath, [join('out', 'main', 'cli.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { baseUrl, token } = JSON.parse(line) as { baseUrl: string; token: string };
  return {
    baseUrl,
    token,
    port: Number(new URL(baseUrl).port),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
