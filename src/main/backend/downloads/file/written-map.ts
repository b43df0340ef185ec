import { crc32 } from 'node:zlib';
import type { ChunkCrc, Durable, Island } from './chunk.ts';
import { combineCrc32 } from './crc32.ts';
import type { PartSizes } from './part-file.ts';

interface Stretch {
  start: number;
  end: number;
  crc32: number | null;
}

/** Which bytes of a file were written, in which order ever, and the CRCs of its chunks. */
export interface WrittenMap {
  /** End of what is there from the first byte on without a gap. */
  readonly prefixBytes: number;
  /** Notes bytes that were written; anything that they replace is forgotten. Without a CRC, their chunks have none. */
  add(startBytes: number, buffers: readonly Uint8Array[], options?: { hasCrc?: boolean }): void;
  /** Forgets what comes after a length at which a chunk begins, or the last one ends. */
  cut(lengthBytes: number): void;
  /** Takes over a chunk, or its beginning, whose CRC is known, to the journal as well where it is not `isNew`. */
  know(chunk: ChunkCrc & { sizeBytes: number; isNew: boolean }): void;
  /** Takes over what lies beyond the prefix. */
  restore(island: Island): void;
  /** The prefix, with the CRCs that changed since the last call, and what lies beyond it at the beginnings of pieces. */
  takeChanges(): Durable;
}

/** A map of an empty file. */
export function createWrittenMap({
  chunkBytes,
  pieceBytes,
}: Pick<PartSizes, 'chunkBytes' | 'pieceBytes'>): WrittenMap {
  const stretches = new Map<number, Stretch[]>();
  const changed = new Set<number>();
  let prefixBytes = 0;

  function place(stretch: Stretch): void {
    const index = Math.floor(stretch.start / chunkBytes);
    const others = (stretches.get(index) ?? []).filter(
      ({ start, end }) => end <= stretch.start || start >= stretch.end,
    );
    const merged: Stretch[] = [];
    for (const next of [...others, stretch].sort((left, right) => left.start - right.start)) {
      const last = merged.at(-1);
      if (last?.end !== next.start) {
        merged.push({ ...next });
        continue;
      }
      last.crc32 = joinCrcs(last.crc32, next);
      last.end = next.end;
    }
    stretches.set(index, merged);
    changed.add(index);
    extendPrefix();
  }

  function extendPrefix(): void {
    for (;;) {
      const next = stretches
        .get(Math.floor(prefixBytes / chunkBytes))
        ?.find(({ start, end }) => start <= prefixBytes && end > prefixBytes);
      if (next === undefined) return;
      prefixBytes = next.end;
    }
  }

  function listIslands(): Island[] {
    const islands: Island[] = [];
    for (const { start, end, crc32: known } of [...stretches.values()].flat()) {
      // A write that failed leaves what came after it; who plans ranges knows of gaps between pieces alone.
      if (start <= prefixBytes || start % pieceBytes !== 0) continue;
      if (known === null) return [];
      islands.push({ startBytes: start, endBytes: end, crc32: known });
    }
    return islands;
  }

  return {
    get prefixBytes() {
      return prefixBytes;
    },
    add(startBytes, buffers, { hasCrc = true } = {}) {
      const none = hasCrc ? 0 : null;
      let stretch: Stretch = { start: startBytes, end: startBytes, crc32: none };
      for (const buffer of buffers) {
        for (let offset = 0; offset < buffer.length;) {
          const room = chunkBytes - (stretch.end % chunkBytes);
          const bytes = buffer.subarray(offset, offset + room);
          if (stretch.crc32 !== null) stretch.crc32 = crc32(bytes, stretch.crc32);
          stretch.end += bytes.length;
          offset += bytes.length;
          if (stretch.end % chunkBytes !== 0) continue;
          place(stretch);
          stretch = { start: stretch.end, end: stretch.end, crc32: none };
        }
      }
      if (stretch.end > stretch.start) place(stretch);
    },
    cut(lengthBytes) {
      for (const [index, list] of stretches) {
        const kept = list.filter(({ end }) => end <= lengthBytes);
        if (kept.length === 0) stretches.delete(index);
        else stretches.set(index, kept);
      }
      prefixBytes = 0;
      extendPrefix();
    },
    know({ index, crc32: known, sizeBytes, isNew }) {
      const start = index * chunkBytes;
      place({ start, end: start + sizeBytes, crc32: known });
      if (!isNew) changed.delete(index);
    },
    restore: ({ startBytes, endBytes, crc32: known }) =>
      place({ start: startBytes, end: endBytes, crc32: known }),
    takeChanges() {
      const chunkCount = Math.ceil(prefixBytes / chunkBytes);
      const chunks: ChunkCrc[] = [];
      for (const index of changed) {
        if (index >= chunkCount) continue;
        const first = stretches.get(index)?.find(({ start }) => start === index * chunkBytes);
        if (first) chunks.push({ index, crc32: first.crc32 });
        changed.delete(index);
      }
      return { durableBytes: prefixBytes, chunks, chunkCount, islands: listIslands() };
    },
  };
}

function joinCrcs(before: number | null, { crc32: next, start, end }: Stretch): number | null {
  return before === null || next === null ? null : combineCrc32(before, next, end - start);
}
