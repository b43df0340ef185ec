import type { RasterFrame } from './raster-frame.ts';

/** TIFF field types: SHORT, LONG, DOUBLE, LONG8. */
export type TagType = 3 | 4 | 12 | 16;

/** One entry of an image file directory. `at` says that the values stand elsewhere in the file already. */
export interface Tag {
  id: number;
  type: TagType;
  values: readonly number[];
  at?: { offset: number; count: number };
}

const typeBytes: Record<TagType, number> = { 3: 2, 4: 4, 12: 8, 16: 8 };

/** Tags that put a raster on the Earth (GeoTIFF 1.1). */
export function geoTags(frame: RasterFrame): Tag[] {
  const isGeographic = frame.epsg === 4326;
  const keys = [
    1,
    1,
    0,
    3,
    1024,
    0,
    1,
    isGeographic ? 2 : 1,
    1025,
    0,
    1,
    1,
    isGeographic ? 2048 : 3072,
    0,
    1,
    frame.epsg,
  ];
  return [
    { id: 33550, type: 12, values: [frame.pixelSize, frame.pixelSize, 0] },
    { id: 33922, type: 12, values: [0, 0, 0, frame.left, frame.top, 0] },
    { id: 34735, type: 3, values: keys },
  ];
}

/** Bytes of a directory with its values behind it. */
export function directoryBytes(tags: readonly Tag[], isBigTiff: boolean): number {
  const { entry, head, inline } = sizes(isBigTiff);
  const outside = tags.reduce((sum, tag) => {
    const bytes = tag.at ? 0 : tag.values.length * typeBytes[tag.type];
    return sum + (bytes > inline ? bytes : 0);
  }, 0);
  return head + tags.length * entry + (isBigTiff ? 8 : 4) + outside;
}

/** Writes a little-endian directory that will stand at `offset`; `next` is where the following one stands, 0 for none. */
export function writeDirectory(
  tags: readonly Tag[],
  { offset, next, isBigTiff }: { offset: number; next: number; isBigTiff: boolean },
): Buffer {
  const { entry, head, inline } = sizes(isBigTiff);
  const bytes = Buffer.alloc(directoryBytes(tags, isBigTiff));
  const writeOffset = (value: number, at: number): void => {
    if (isBigTiff) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUInt32LE(value, at);
  };
  if (isBigTiff) bytes.writeBigUInt64LE(BigInt(tags.length), 0);
  else bytes.writeUInt16LE(tags.length, 0);
  let position = head;
  let outside = head + tags.length * entry + (isBigTiff ? 8 : 4);
  for (const tag of [...tags].sort((a, b) => a.id - b.id)) {
    const count = tag.at?.count ?? tag.values.length;
    bytes.writeUInt16LE(tag.id, position);
    bytes.writeUInt16LE(tag.type, position + 2);
    writeOffset(count, position + 4);
    const field = position + entry - inline;
    const valueBytes = count * typeBytes[tag.type];
    if (tag.at) writeOffset(tag.at.offset, field);
    else if (valueBytes <= inline) writeValues(bytes, tag, field);
    else {
      writeOffset(offset + outside, field);
      writeValues(bytes, tag, outside);
      outside += valueBytes;
    }
    position += entry;
  }
  writeOffset(next, position);
  return bytes;
}

function writeValues(bytes: Buffer, tag: Tag, at: number): void {
  tag.values.forEach((value, i) => {
    const position = at + i * typeBytes[tag.type];
    if (tag.type === 3) bytes.writeUInt16LE(value, position);
    else if (tag.type === 4) bytes.writeUInt32LE(value, position);
    else if (tag.type === 12) bytes.writeDoubleLE(value, position);
    else bytes.writeBigUInt64LE(BigInt(value), position);
  });
}

/** Bytes of an entry, of the count before the entries, and of a value that fits into its entry. */
function sizes(isBigTiff: boolean): { entry: number; head: number; inline: number } {
  return isBigTiff ? { entry: 20, head: 8, inline: 8 } : { entry: 12, head: 2, inline: 4 };
}
