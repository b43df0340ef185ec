import { maxAreaFileBytes } from '#shared/geo/area-file-limit.ts';

/** What is taken in of a file or a text that nobody vouches for. Real areas stay far below. */
export const aoiLimits = {
  fileBytes: maxAreaFileBytes,
  textLength: 5_000_000,
  zipEntries: 500,
  /** Of all entries that are read, counted while they are unpacked. */
  unpackedBytes: 100_000_000,
  /** Unpacked to packed size of one entry; text of repeated numbers stays below 50. */
  unpackRatio: 250,
  /** Below this the ratio says nothing. */
  ratioFreeBytes: 1_000_000,
  /** Members within members, elements within elements. */
  depth: 100,
  /** Lists and objects, before a parser builds them: each can take a hundred times its two characters. */
  brackets: 1_000_000,
  /** Tags, comments and the like; and attributes. An element takes about a kilobyte of memory. */
  xmlMarks: 500_000,
  vertices: 200_000,
  /** Time for reading one file or text. */
  readMs: 20_000,
  /** Memory of the thread that reads, beside the file itself. */
  heapMegabytes: 512,
} as const;
