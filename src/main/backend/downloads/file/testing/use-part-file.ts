import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach } from 'vitest';
import { createManualTime, type ManualTime } from '../../testing/manual-time.ts';
import type { Durable, Island } from '../chunk.ts';
import { createPartFile } from '../own-part.ts';
import { openPartFile, type PartFileOptions } from '../part-file.ts';

const sizes = {
  chunkBytes: 1000,
  windowChunks: 4,
  writeBytes: 100,
  mostWriteBytes: 400,
  mostBufferedBytes: 800,
  checkpointBytes: 2000,
};

/** What a test of a part file has for itself. */
interface PartFilePlace {
  folder: string;
  path: string;
  time: ManualTime;
  /** What the journal would have after a crash. */
  journal: { durableBytes: number; crcs: Map<number, number>; islands: readonly Island[] };
}

/** An empty part file with small chunks for each test, and the bytes of the file that it becomes. */
export function usePartFile() {
  const bytes = Buffer.from(Array.from({ length: 10_000 }, (_, index) => (index * 31) % 251));
  const place = {} as PartFilePlace;

  beforeEach(async () => {
    place.folder = mkdtempSync(join(tmpdir(), 'swath-part-'));
    place.path = join(place.folder, 'x.part');
    place.time = createManualTime();
    place.journal = { durableBytes: 0, crcs: new Map(), islands: [] };
    await (await createPartFile(place.path))?.close();
  });

  afterEach(() => {
    rmSync(place.folder, { recursive: true, force: true });
  });

  function note({ durableBytes, chunks, chunkCount, islands }: Durable): void {
    const { journal } = place;
    Object.assign(journal, { durableBytes, islands });
    for (const { index, crc32: crc } of chunks) {
      if (crc === null) journal.crcs.delete(index);
      else journal.crcs.set(index, crc);
    }
    for (const index of [...journal.crcs.keys()]) if (index >= chunkCount) journal.crcs.delete(index);
  }

  function open(changes: Partial<PartFileOptions> = {}) {
    const { path, time, journal } = place;
    return openPartFile({ path, ...journal, clock: time.clock, onDurable: note, sizes, ...changes });
  }

  const crcOf = (start: number, end: number) => crc32(bytes.subarray(start, end));

  return { place, bytes, open, crcOf, sizes };
}
