/** Bytes of a chunk: what has a CRC of its own, and what is fetched again as one where it is damaged. */
export const chunkBytes = 16 * 1024 * 1024;

/**
 * What connections divide a file into: less than a chunk, so that they come to its end together. A stretch beyond a gap that
 * doesn't begin with a piece is not taken up again.
 */
export const pieceBytes = 2 * 1024 * 1024;

/** From that of the prefix on, so many chunks of a part file may have bytes. */
export const windowChunks = 28;

/** The CRC-32 of one chunk of a file, or of as much of it as is there; null where it was not computed. */
export interface ChunkCrc {
  index: number;
  crc32: number | null;
}

/** Bytes of a part file beyond the first gap in it, on disk. */
export interface Island {
  startBytes: number;
  endBytes: number;
  crc32: number;
}

/** What the journal knows of a part file: how many bytes are surely on disk, and their CRCs. */
export interface Durable {
  durableBytes: number;
  /** Those that are new or other than before. */
  chunks: readonly ChunkCrc[];
  /** How many chunks there are now; what the journal has from this index on is void. */
  chunkCount: number;
  /** What is surely on disk as well; none where it has no CRCs, by which it would be known again. */
  islands: readonly Island[];
}
