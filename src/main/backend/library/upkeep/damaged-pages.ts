import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { inspectFile } from './inspect-file.ts';

/** What our files are made with, where the header can't be read any more. */
const usualPageBytes = 4096;

/** Pages of a SQLite file by their number, from 1, read without SQLite: a damaged one hides none of the others. */
export interface DamagedPages {
  readonly pageCount: number;
  /** Bytes of a page that hold data. */
  readonly usableBytes: number;
  /** Null where the file ends before it. */
  read(pageNumber: number): Buffer | null;
  close(): void;
}

/** Opens a file and what its journal knows better. */
export function openPages(filePath: string): DamagedPages {
  const file = openSync(filePath, 'r');
  const header = inspectFile(filePath);
  const isHeaderGood = header?.isSqlite === true && isPageSize(header.pageBytes);
  const pageBytes = isHeaderGood ? header.pageBytes : usualPageBytes;
  const journal = readJournal(`${filePath}-wal`, pageBytes);
  const pageCount = Math.max(Math.ceil(fstatSync(file).size / pageBytes), ...journal.keys(), 0);
  return {
    pageCount,
    usableBytes: pageBytes,
    read(pageNumber) {
      const newer = journal.get(pageNumber);
      if (newer) return newer;
      if (pageNumber < 1 || pageNumber > pageCount) return null;
      const page = Buffer.alloc(pageBytes);
      const count = readSync(file, page, 0, pageBytes, (pageNumber - 1) * pageBytes);
      return count === 0 ? null : page;
    },
    close: () => closeSync(file),
  };
}

function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;
}

const frameHeaderBytes = 24;

// The pages of all transactions that were committed (fileformat2.html §4.1): those up to the last frame with a size.
function readJournal(filePath: string, pageBytes: number): Map<number, Buffer> {
  const committed = new Map<number, Buffer>();
  if (!existsSync(filePath)) return committed;
  const bytes = readFileSync(filePath);
  if (bytes.length < 32 || bytes.readUInt32BE(8) !== pageBytes) return committed;
  const isBigEndian = (bytes.readUInt32BE(0) & 1) === 1;
  let sum = addChecksum([0, 0], bytes.subarray(0, 24), isBigEndian);
  if (!isSum(sum, bytes, 24)) return committed;
  let pending = new Map<number, Buffer>();
  const step = frameHeaderBytes + pageBytes;
  for (let at = 32; at + step <= bytes.length; at += step) {
    const page = bytes.subarray(at + frameHeaderBytes, at + step);
    sum = addChecksum(sum, bytes.subarray(at, at + 8), isBigEndian);
    sum = addChecksum(sum, page, isBigEndian);
    const isOfThisRun = bytes.subarray(at + 8, at + 16).equals(bytes.subarray(16, 24));
    if (!isOfThisRun || !isSum(sum, bytes, at + 16)) break;
    pending.set(bytes.readUInt32BE(at), page);
    if (bytes.readUInt32BE(at + 4) === 0) continue;
    for (const [number, newer] of pending) committed.set(number, newer);
    pending = new Map();
  }
  return committed;
}

type Checksum = readonly [number, number];

function addChecksum([first, second]: Checksum, bytes: Buffer, isBigEndian: boolean): Checksum {
  const word = (at: number): number => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + word(at) + b) >>> 0;
    b = (b + word(at + 4) + a) >>> 0;
  }
  return [a, b];
}

function isSum([first, second]: Checksum, bytes: Buffer, at: number): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}
