import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { ChildOrder } from './download-child.ts';

/** What became of a transfer. */
type Outcome = Pick<Transfer, 'state' | 'verification'>;

/** A queue in a process of its own. */
export interface DownloadProcess {
  /** Resolves when its queue is open, or it has ended before. */
  isOpen: Promise<void>;
  /** What it told when it ended; null when it was killed. */
  transfers: Promise<Outcome[] | null>;
  /** As the system does it when memory is short: without a word. */
  kill(): void;
}

const child = fileURLToPath(new URL('download-child.ts', import.meta.url));

/** Starts a queue that brings everything home, and ends then. */
export function spawnDownloads(order: ChildOrder): DownloadProcess {
  const running = spawn(process.execPath, [child, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const isOpen = new Promise<void>((resolve) => {
    running.stdout.on('data', (data: Buffer) => {
      text += data.toString();
      resolve();
    });
    running.on('close', () => resolve());
  });
  const transfers = new Promise<Outcome[] | null>((resolve, reject) => {
    running.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(null);
      else if (code === 0) resolve(JSON.parse(text.split('\n')[1] ?? '') as Outcome[]);
      else reject(new Error(`The queue's process ended with ${code ?? signal}`));
    });
  });
  return { isOpen, transfers, kill: () => void running.kill('SIGKILL') };
}
