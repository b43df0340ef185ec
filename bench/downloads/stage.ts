import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { bundleChild } from '../bundle-child.ts';
import { makeCertificate } from '../../src/main/backend/http/testing/make-certificate.ts';
import type { QueueFigures, QueueTask } from './queue-child.ts';
import { checksumOfBlocks } from './served-bytes.ts';
import type { ServedAs } from './serve-files.ts';
import { warmMemory } from './warm-memory.ts';

const run = promisify(execFile);
const mostWarmBytes = 3 * 1024 ** 3;

/** What is served, and how. */
export interface StageOptions {
  sizeBytes: number;
  fileCount?: number;
  atOnce?: number;
  bytesPerSecond?: number;
  latencyMs?: number;
  isSecure?: boolean;
}

/** A server in a process of its own, and a folder on the disk for temporary files. */
export interface Stage {
  /** Swath: each file verified by SHA-256, every step journalled. */
  swath(): Promise<QueueFigures>;
  /** A program of the machine, told where to put what; gives wall time and processor time in milliseconds. */
  peer(
    program: string,
    argumentsFor: (place: PeerPlace) => string[],
  ): Promise<{ elapsedMs: number; cpuMs: number }>;
  close(): void;
}

/** Where a peer finds and puts files. */
export interface PeerPlace {
  urls: string[];
  folder: string;
  /** A certificate authority to trust; null over plain HTTP. */
  authorityFile: string | null;
}

/** Whether a program is there; the sentence to give where it isn't. */
export async function findMissing(...programs: string[]): Promise<string | null> {
  for (const program of programs) {
    const found = await run(program, ['--version']).catch(() => null);
    if (found === null) return `${program} is not installed`;
  }
  return null;
}

/** Starts the server. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { sizeBytes, fileCount = 1, atOnce = 1, isSecure = false } = options;
  const folder = mkdtempSync(join(tmpdir(), 'swath-bench-'));
  const certificate = isSecure ? await makeCertificate('127.0.0.1') : null;
  const authorityFile = certificate === null ? null : join(folder, 'authority.pem');
  if (certificate !== null && authorityFile !== null) writeFileSync(authorityFile, certificate.authority);
  const served: ServedAs = {
    sizeBytes,
    bytesPerSecond: options.bytesPerSecond ?? null,
    latencyMs: options.latencyMs ?? 0,
    certificate: certificate === null ? null : { key: certificate.key, cert: certificate.cert },
  };
  const server = spawn(process.execPath, [pathOf('serve-files.ts'), JSON.stringify(served)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const origin = await new Promise<string>((resolve) =>
    server.stdout.once('data', (text: Buffer) => resolve(text.toString().trim())),
  );
  const checksum = checksumOfBlocks(sizeBytes);
  const queueChild = await bundleChild(new URL('./queue-child.ts', import.meta.url));
  const urls = Array.from({ length: fileCount }, (_, index) => `${origin}/B${index}.tif`);
  const warmBytes = Math.min(2 * sizeBytes * fileCount, mostWarmBytes);
  let round = 0;

  async function inFolder<Result>(work: (place: string) => Promise<Result>): Promise<Result> {
    const place = join(folder, `round-${(round += 1)}`);
    mkdirSync(place);
    try {
      return await work(place);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }

  return {
    swath: () =>
      inFolder(async (place) => {
        const destination = join(place, 'out');
        mkdirSync(destination);
        const authority = certificate?.authority ?? null;
        const filePath = join(place, 'downloads.sqlite');
        const task: QueueTask = {
          filePath,
          destination,
          origin,
          authority,
          fileCount,
          atOnce,
          sizeBytes,
          checksum,
        };
        return runQueue(queueChild, task, () => warmMemory(place, warmBytes));
      }),
    peer: (program, argumentsFor) =>
      inFolder(async (place) => {
        const words = argumentsFor({ urls, folder: place, authorityFile });
        warmMemory(place, warmBytes);
        const startedMs = performance.now();
        const timed = 'TIMEFORMAT="%U %S"; time "$@" > /dev/null 2> /dev/null';
        const { stderr } = await run('bash', ['-c', timed, 'bash', program, ...words]);
        const elapsedMs = performance.now() - startedMs;
        const [user = 0, system = 0] = stderr.trim().split(' ').map(Number);
        return { elapsedMs, cpuMs: (user + system) * 1000 };
      }),
    close() {
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function runQueue(program: string, task: QueueTask, onReady: () => void): Promise<QueueFigures> {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let last = '';
  for await (const line of createInterface(child.stdout)) {
    if (line === 'ready') {
      onReady();
      child.stdin.end('go');
    }
    last = line;
  }
  return JSON.parse(last) as QueueFigures;
}

function pathOf(name: string): string {
  return new URL(name, import.meta.url).pathname;
}
