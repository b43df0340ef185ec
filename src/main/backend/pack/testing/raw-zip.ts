import { crc32, deflateRawSync } from 'node:zlib';

/** An entry as it is to stand in the zip, however wrong. */
export interface RawEntry {
  name: string;
  content: Buffer;
  isPacked?: boolean;
  /** Upper half of the external attributes: the Unix mode. */
  mode?: number;
  /** What the headers say instead of the truth. */
  saidBytes?: number;
  flags?: number;
  /** Place of the local header in the directory, instead of its own. */
  offset?: number;
}

/** Writes a zip without any check (PKWARE APPNOTE 6.3.3). */
export function writeRawZip(entries: readonly RawEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, isPacked = false, mode = 0, saidBytes, flags = 0, offset } of entries) {
    const nameBytes = Buffer.from(name);
    const packed = isPacked ? deflateRawSync(content) : content;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x800 | flags, 2);
    shared.writeUInt16LE(isPacked ? 8 : 0, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(saidBytes ?? content.length, 18);
    shared.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, nameBytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset ?? at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), shared, tail, nameBytes]));
    parts.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
