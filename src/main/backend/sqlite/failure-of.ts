import { AppError } from '#shared/errors/app-error.ts';

/** What may be wrong with a file of ours. */
export type FileFailure = 'library.in-use' | 'library.corrupt' | 'library.disk-full' | 'library.read-only';

const failures: readonly [codes: RegExp, FileFailure][] = [
  [/^SQLITE_BUSY/, 'library.in-use'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'library.corrupt'],
  // A file-size limit of the system shows as a failed write; a full disk, where one only reads, as shared memory that
  // can't be had.
  [/^SQLITE_(FULL|IOERR_WRITE|IOERR_SHM(SIZE|MAP|OPEN))$/, 'library.disk-full'],
  [/^SQLITE_(READONLY.*|CANTOPEN)$/, 'library.read-only'],
];

/** What an error of SQLite's says of the file; null for any other error. */
export function failureOf(thrown: unknown): FileFailure | null {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return failures.find(([codes]) => codes.test(code))?.[1] ?? null;
}

// SQLite's own words for a full disk are “disk I/O error” as often as not: it writes a little even to read.
const sentences: Readonly<Record<FileFailure, string>> = {
  'library.in-use': 'Another program has one of Swath’s files locked',
  'library.corrupt': 'One of Swath’s files is damaged; “swath library verify” says which',
  'library.disk-full': 'The disk that Swath’s files are on is full',
  'library.read-only': 'One of Swath’s files can’t be written to',
};

/** What SQLite says of a file that nobody names, as an AppError with the code of its failure; anything else as it is. */
export function explainFailure(thrown: unknown): unknown {
  const failure = failureOf(thrown);
  return failure === null ? thrown : new AppError(failure, sentences[failure], { cause: thrown });
}
