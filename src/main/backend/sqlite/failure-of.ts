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
