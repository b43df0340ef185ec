import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { ChildOrder } from './download-child.ts';

/** What became of a transfer. */
type Outcome = Pick<Transfer, 'assetKey' | 'state' | 'verification' | 'error'>;

/** A queue in a process of its own. */
export interface DownloadProcess {
  /** Resolves when its queue is open, or it has ended before. */
  isOpen: Promise<void>;
  /** The same of its order. */
  isQueued: Promise<void>;
  /** Resolves when it has logged an error so many times, or it has ended before. */
  hasLogged(event: string, count: number): Promise<void>;
  pid: number;
  /** What it told when it ended; null when it was killed. */
  transfers: Promise<Outcome[] | null>;
  /** As the system does it when memory is short: without a word. */
  kill(): void;
}

const child = fileURLToPath(new URL('download-child.ts', import.meta.url));

const volumeBytes = 2 * 1024 * 1024;

/**
 * Starts a queue that brings everything home, and ends then. With `volumeAt` that folder is a small volume, which others
 * see below `/proc/<pid>/root` only.
 */
export function spawnDownloads(
  order: ChildOrder,
  { volumeAt = null }: { volumeAt?: string | null } = {},
): DownloadProcess {
  const run = [process.execPath, child, JSON.stringify(order)];
  const mount = `mount -t tmpfs -o size=${volumeBytes} none "$0" && exec "$@"`;
  const [command = '', ...words] =
    volumeAt === null ? run : ['unshare', '-rm', 'sh', '-c', mount, volumeAt, ...run];
  const running = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  running.stdout.on('data', (data: Buffer) => (text += data.toString()));
  const hasSaid = (line: string, count = 1) =>
    new Promise<void>((resolve) => {
      running.stdout.on('data', () => {
        if (text.split('\n').filter((one) => one === line).length >= count) resolve();
      });
      running.on('close', () => resolve());
    });
  const transfers = new Promise<Outcome[] | null>((resolve, reject) => {
    running.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(null);
      else if (code === 0) resolve(JSON.parse(text.split('\n').at(-1) ?? '') as Outcome[]);
      else reject(new Error(`The queue's process ended with ${code ?? signal}`));
    });
  });
  return {
    isOpen: hasSaid('open'),
    isQueued: hasSaid('queued'),
    hasLogged: hasSaid,
    pid: running.pid ?? 0,
    transfers,
    kill: () => void running.kill('SIGKILL'),
  };
}
