import { crc32 } from 'node:zlib';
import type { ChunkCrc, Durable } from './chunk.ts';
import { combineCrc32 } from './crc32.ts';
import type { Island } from './islands.ts';

interface Piece {
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
  /** What lies beyond the prefix at the beginnings of chunks; nothing where it could not be told again. */
  islands(): Island[];
  /** Takes over what lies beyond the prefix. */
  restore(island: Island): void;
  /** The prefix, with the CRCs that changed since the last call. */
  takeChanges(): Durable;
}

/** A map of an empty file. */
export function createWrittenMap(chunkBytes: number): WrittenMap {
  const pieces = new Map<number, Piece[]>();
  const changed = new Set<number>();
  let prefixBytes = 0;

  function place(piece: Piece): void {
    const index = Math.floor(piece.start / chunkBytes);
    const others = (pieces.get(index) ?? []).filter(
      ({ start, end }) => end <= piece.start || start >= piece.end,
    );
    const merged: Piece[] = [];
    for (const next of [...others, piece].sort((left, right) => left.start - right.start)) {
      const last = merged.at(-1);
      if (last?.end !== next.start) {
        merged.push({ ...next });
        continue;
      }
      last.crc32 = joinCrcs(last.crc32, next);
      last.end = next.end;
    }
    pieces.set(index, merged);
    changed.add(index);
    extendPrefix();
  }

  function extendPrefix(): void {
    for (;;) {
      const next = pieces
        .get(Math.floor(prefixBytes / chunkBytes))
        ?.find(({ start, end }) => start <= prefixBytes && end > prefixBytes);
      if (next === undefined) return;
      prefixBytes = next.end;
    }
  }

  return {
    get prefixBytes() {
      return prefixBytes;
    },
    add(startBytes, buffers, { hasCrc = true } = {}) {
      const none = hasCrc ? 0 : null;
      let piece: Piece = { start: startBytes, end: startBytes, crc32: none };
      for (const buffer of buffers) {
        for (let offset = 0; offset < buffer.length;) {
          const room = chunkBytes - (piece.end % chunkBytes);
          const bytes = buffer.subarray(offset, offset + room);
          if (piece.crc32 !== null) piece.crc32 = crc32(bytes, piece.crc32);
          piece.end += bytes.length;
          offset += bytes.length;
          if (piece.end % chunkBytes !== 0) continue;
          place(piece);
          piece = { start: piece.end, end: piece.end, crc32: none };
        }
      }
      if (piece.end > piece.start) place(piece);
    },
    cut(lengthBytes) {
      for (const [index, list] of pieces) {
        const kept = list.filter(({ end }) => end <= lengthBytes);
        if (kept.length === 0) pieces.delete(index);
        else pieces.set(index, kept);
      }
      prefixBytes = 0;
      extendPrefix();
    },
    know({ index, crc32: known, sizeBytes, isNew }) {
      const start = index * chunkBytes;
      place({ start, end: start + sizeBytes, crc32: known });
      if (!isNew) changed.delete(index);
    },
    islands() {
      const islands: Island[] = [];
      for (const { start, end, crc32: known } of [...pieces.values()].flat()) {
        // A write that failed leaves what came after it; who plans ranges knows of gaps between chunks alone.
        if (start <= prefixBytes || start % chunkBytes !== 0) continue;
        if (known === null) return [];
        islands.push({ startBytes: start, endBytes: end, crc32: known });
      }
      return islands;
    },
    restore: ({ startBytes, endBytes, crc32: known }) =>
      place({ start: startBytes, end: endBytes, crc32: known }),
    takeChanges() {
      const chunkCount = Math.ceil(prefixBytes / chunkBytes);
      const chunks: ChunkCrc[] = [];
      for (const index of changed) {
        if (index >= chunkCount) continue;
        const first = pieces.get(index)?.find(({ start }) => start === index * chunkBytes);
        if (first) chunks.push({ index, crc32: first.crc32 });
        changed.delete(index);
      }
      return { durableBytes: prefixBytes, chunks, chunkCount };
    },
  };
}

function joinCrcs(before: number | null, { crc32: next, start, end }: Piece): number | null {
  return before === null || next === null ? null : combineCrc32(before, next, end - start);
}
