import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** What the first bytes of a file say, read without SQLite, which might change it. */
export interface FileHeader {
  /** Whether they are those of a SQLite file at all. */
  isSqlite: boolean;
  sizeBytes: number;
  pageBytes: number;
  /** Pages that should be there; a journal beside the file may know better. */
  pageCount: number;
  applicationId: number;
  schemaVersion: number;
}

const magic = 'SQLite format 3\0';

/** Reads the header (fileformat2.html §1.3); null where there is no file, or an empty one. */
export function inspectFile(filePath: string): FileHeader | null {
  const stats = statSync(filePath, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size === 0) return null;
  const bytes = Buffer.alloc(100);
  const file = openSync(filePath, 'r');
  try {
    readSync(file, bytes, 0, 100, 0);
  } finally {
    closeSync(file);
  }
  const pageBytes = bytes.readUInt16BE(16);
  return {
    isSqlite: bytes.toString('latin1', 0, 16) === magic,
    sizeBytes: stats.size,
    pageBytes: pageBytes === 1 ? 65_536 : pageBytes,
    pageCount: bytes.readUInt32BE(28),
    applicationId: bytes.readUInt32BE(68),
    schemaVersion: bytes.readUInt32BE(60),
  };
}
