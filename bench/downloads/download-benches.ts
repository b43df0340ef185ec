import { join } from 'node:path';
import type { Bench, Target } from '../bench.ts';
import type { QueueFigures } from './queue-child.ts';
import { findMissing, openStage, type PeerPlace, type StageOptions } from './stage.ts';

const mib = 1024 * 1024;
const gib = 1024 * mib;

type PeerFigures = { elapsedMs: number; cpuMs: number };

interface DownloadBench {
  name: string;
  unit: string;
  target: Target;
  served: StageOptions;
  program: string;
  /** Other programs that it calls. */
  calls?: string[];
  peer: (place: PeerPlace) => string[];
  rounds: number;
  ours: (figures: QueueFigures) => number;
  theirs: (figures: PeerFigures) => number;
}

/** One file of 1 GiB, verified and journalled, against curl, which does neither. */
export const downloadOne: Bench[] = [false, true].map((isSecure) =>
  toBench({
    name: `download-1gib:${isSecure ? 'tls' : 'plain'}`,
    unit: 'ms',
    ours: timeOf,
    theirs: timeOf,
    target: { ratio: 1 / 0.9 },
    served: { sizeBytes: gib, isSecure },
    program: 'curl',
    peer: curlOne,
    rounds: 3,
  }),
);

/** One file of 1 GiB, against other programs that do the same one after the other: curl, sync and sha256sum. */
export const downloadVerified: Bench = toBench({
  name: 'download-1gib:verified',
  unit: 'ms',
  ours: timeOf,
  theirs: timeOf,
  target: { ratio: 1 },
  served: { sizeBytes: gib },
  program: 'bash',
  calls: ['curl', 'sync', 'sha256sum'],
  peer: ({ urls, folder }) => [
    '-c',
    'curl -s -o "$1" "$2" && sync "$1" && sha256sum "$1"',
    'bash',
    join(folder, 'scene.tif'),
    ...urls,
  ],
  rounds: 3,
});

/** 200 files of 2 MiB, 8 at once. */
export const downloadSmallFiles: Bench[] = [
  { program: 'aria2c', peer: (place: PeerPlace) => ['-j8', ...quietAria2(place), '-Z', ...place.urls] },
  {
    program: 'curl',
    peer: ({ urls, folder }: PeerPlace) => [
      '-s',
      '--parallel',
      '--parallel-max',
      '8',
      '--remote-name-all',
      '--output-dir',
      folder,
      ...urls,
    ],
  },
].map(({ program, peer }) =>
  toBench({
    name: `download-small-files:${program}`,
    unit: 'ms',
    ours: timeOf,
    theirs: timeOf,
    target: { ratio: 1 },
    served: { sizeBytes: 2 * mib, fileCount: 200, atOnce: 8 },
    program,
    peer,
    rounds: 3,
  }),
);

/** A server that gives 25 MiB/s to each connection, near and 100 ms away, against four connections of aria2. */
export const downloadCapped: Bench[] = [0, 100].map((latencyMs) =>
  toBench({
    name: `download-capped:${latencyMs === 0 ? 'near' : '100-ms'}`,
    unit: 'ms',
    ours: timeOf,
    theirs: timeOf,
    target: { ratio: 1 },
    served: { sizeBytes: gib, bytesPerSecond: 25 * mib, latencyMs },
    program: 'aria2c',
    peer: (place) => ['-x4', '-s4', ...quietAria2(place), ...place.urls],
    // Eleven seconds each, by the server's own clock.
    rounds: 1,
  }),
);

/** What a file of 1 GiB costs the computer; of 10 GiB too where `--large` is asked for. */
export const downloadLoad: Bench[] = [
  {
    name: 'cpu',
    unit: 'ms CPU',
    target: { ratio: 1.5 },
    ours: cpuOf,
    theirs: cpuOf,
    sizeBytes: gib,
    rounds: 3,
  },
  {
    name: 'event-loop',
    unit: 'ms',
    target: { limit: 16 },
    ours: delayOf,
    theirs: timeOf,
    sizeBytes: gib,
    rounds: 3,
  },
  {
    name: 'memory',
    unit: 'MB',
    target: { limit: 250 },
    ours: peakOf,
    theirs: timeOf,
    sizeBytes: gib,
    rounds: 1,
  },
  ...(process.argv.includes('--large')
    ? [
        {
          name: 'memory-10gib',
          unit: 'MB',
          target: { limit: 250 },
          ours: peakOf,
          theirs: timeOf,
          sizeBytes: 10 * gib,
          rounds: 1,
        },
      ]
    : []),
].map(({ name, sizeBytes, ...facts }) =>
  toBench({
    name: `download-load:${name}`,
    served: { sizeBytes },
    program: 'curl',
    peer: curlOne,
    ...facts,
  }),
);

function toBench(bench: DownloadBench): Bench {
  const { name, unit, target, served, program, calls = [], peer, rounds, ours, theirs } = bench;
  return {
    name,
    unit,
    target,
    async prepare() {
      const missing = await findMissing(program, ...calls, 'bash');
      if (missing !== null) return { unavailable: missing };
      const stage = await openStage(served);
      return {
        rounds,
        ours: async () => ours(await stage.swath()),
        reference: async () => theirs(await stage.peer(program, peer)),
        close: () => stage.close(),
      };
    },
  };
}

function curlOne({ urls, folder, authorityFile }: PeerPlace): string[] {
  const trust = authorityFile === null ? [] : ['--cacert', authorityFile];
  return ['-s', ...trust, '-o', `${folder}/file.tif`, ...urls];
}

// Without setting aside the space for the file first, which costs it time on some file systems.
function quietAria2({ folder }: PeerPlace): string[] {
  return ['--quiet', '--file-allocation=none', '--no-conf', '-d', folder];
}

function timeOf({ elapsedMs }: { elapsedMs: number }): number {
  return elapsedMs;
}

function cpuOf({ cpuMs }: { cpuMs: number }): number {
  return cpuMs;
}

function delayOf({ delayMs }: QueueFigures): number {
  return delayMs;
}

function peakOf({ peakBytes }: QueueFigures): number {
  return peakBytes / 1e6;
}
