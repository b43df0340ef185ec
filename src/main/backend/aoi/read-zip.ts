import { inflateRawSync } from 'node:zlib';
import { tooLarge, unreadable } from './aoi-error.ts';
import { aoiLimits } from './limits.ts';

/** One file in an archive; nothing of it is unpacked yet. */
export interface ZipEntry {
  name: string;
  /** @throws AppError `aoi.unreadable`, `aoi.too-large` */
  unpack(): Uint8Array;
}

const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endSize = 22;
const maxCommentSize = 65_535;

/**
 * The entries of a zip archive (PKWARE APPNOTE 6.3.3), folders left out. What they unpack to is counted while they are
 * unpacked, for all of them together: what an archive says of its sizes is not believed.
 * @throws AppError `aoi.unreadable`, `aoi.too-large`
 */
export function readZip(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === null) throw damaged('Its list of contents is missing.');
  const entryCount = view.getUint16(end + 10, true);
  if (entryCount > aoiLimits.zipEntries) {
    throw tooLarge({
      why: `The archive has ${entryCount === 0xffff ? 'more than 65,000' : entryCount.toLocaleString('en-GB')} files.`,
      mend: 'Pack only the files of the area.',
    });
  }
  const budget = { leftBytes: aoiLimits.unpackedBytes };
  const entries: ZipEntry[] = [];
  let offset = view.getUint32(end + 16, true);
  for (let index = 0; index < entryCount; index += 1) {
    if (offset + 46 > end || view.getUint32(offset, true) !== directorySignature) {
      throw damaged(`Its list of contents ends after ${String(index)} of ${String(entryCount)} files.`);
    }
    const header = readHeader(view, bytes, offset);
    offset += 46 + header.nameLength + header.restLength;
    if (!header.name.endsWith('/') && !header.name.includes('__MACOSX/')) {
      entries.push({ name: header.name, unpack: () => unpackEntry({ view, bytes }, header, budget) });
    }
  }
  return entries;
}

interface EntryHeader {
  name: string;
  nameLength: number;
  restLength: number;
  flags: number;
  method: number;
  packedBytes: number;
  localOffset: number;
}

function readHeader(view: DataView, bytes: Uint8Array, offset: number): EntryHeader {
  const flags = view.getUint16(offset + 8, true);
  const nameLength = view.getUint16(offset + 28, true);
  const nameBytes = bytes.subarray(offset + 46, offset + 46 + nameLength);
  // Bit 11 says UTF-8; without it names are in whatever code the packing computer used (APPNOTE appendix D).
  const name = new TextDecoder((flags & 0x800) === 0 && !isUtf8(nameBytes) ? 'windows-1252' : 'utf-8').decode(
    nameBytes,
  );
  return {
    name,
    nameLength,
    restLength: view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true),
    flags,
    method: view.getUint16(offset + 10, true),
    packedBytes: view.getUint32(offset + 20, true),
    localOffset: view.getUint32(offset + 42, true),
  };
}

function unpackEntry(
  { view, bytes }: { view: DataView; bytes: Uint8Array },
  { name, flags, method, packedBytes, localOffset }: EntryHeader,
  budget: { leftBytes: number },
): Uint8Array {
  if ((flags & 1) === 1) {
    throw unreadable({
      place: `“${name}”.`,
      why: 'It is protected by a password.',
      mend: 'Pack it without one.',
    });
  }
  if (localOffset + 30 > bytes.length || view.getUint32(localOffset, true) !== localSignature) {
    throw damaged(`“${name}” is not where the archive says.`);
  }
  const start =
    localOffset + 30 + view.getUint16(localOffset + 26, true) + view.getUint16(localOffset + 28, true);
  if (start + packedBytes > bytes.length) throw damaged(`“${name}” is cut off.`);
  const packed = bytes.subarray(start, start + packedBytes);
  const unpacked = method === 0 ? packed : inflate(packed, { name, method, budget });
  budget.leftBytes -= unpacked.length;
  if (budget.leftBytes < 0) throw tooMuch(name);
  return unpacked;
}

function inflate(
  packed: Uint8Array,
  { name, method, budget }: { name: string; method: number; budget: { leftBytes: number } },
): Uint8Array {
  if (method !== 8) {
    throw unreadable({
      place: `“${name}”.`,
      why: 'It is packed in a way that is not read.',
      mend: 'Pack it as an ordinary zip.',
    });
  }
  const byRatio = Math.max(aoiLimits.ratioFreeBytes, packed.length * aoiLimits.unpackRatio);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, Math.min(byRatio, budget.leftBytes)) });
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooMuch(name);
    throw damaged(`“${name}” can’t be unpacked.`);
  }
}

/** The end record stands before a comment of unknown length. */
function findEnd(view: DataView): number | null {
  const last = view.byteLength - endSize;
  for (let offset = last; offset >= Math.max(0, last - maxCommentSize); offset -= 1) {
    if (view.getUint32(offset, true) === endSignature) return offset;
  }
  return null;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function tooMuch(name: string): ReturnType<typeof tooLarge> {
  return tooLarge({
    why: `“${name}” unpacks to far more than an area needs.`,
    mend: 'Pack only the files of the area.',
  });
}

function damaged(why: string): ReturnType<typeof unreadable> {
  return unreadable({ why: `The archive is damaged. ${why}`, mend: 'Pack or download it again.' });
}
