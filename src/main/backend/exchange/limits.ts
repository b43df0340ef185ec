/** What is taken in of a file that nobody vouches for. Real exports stay far below. */
export const exchangeLimits = {
  fileBytes: 2_000_000_000,
  items: 1_000_000,
  /** The JSON of one item, a record of a CSV. Real ones have some 10 kB. */
  itemBytes: 16_000_000,
  /** Members within members. */
  depth: 100,
  /** Of a table: a library of several collections has some hundreds. */
  columns: 10_000,
  /** Members beside the features, such as `links`. */
  headBytes: 4_000_000,
  /** One page of a Parquet column, unpacked; writers make them of about 1 MB. */
  pageBytes: 256_000_000,
  /** Columns of a Parquet row group, unpacked. */
  rowGroupBytes: 2_000_000_000,
  /** Unpacked to packed size of one page, beyond its first megabyte. */
  unpackRatio: 2000,
  ratioFreeBytes: 1_000_000,
  /** Memory of the thread that reads or writes. */
  heapMegabytes: 1536,
  /** Time without any item from a file that is being read. */
  silentMs: 120_000,
} as const;
