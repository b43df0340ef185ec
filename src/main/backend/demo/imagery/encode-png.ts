import { crc32, deflateSync } from 'node:zlib';
import type { Picture } from './render-scene.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const subFilter = 1;

/** The picture as a PNG file (8-bit RGB). */
export function encodePng({ columns, rows, rgb }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(columns, 0);
  header.writeUInt32BE(rows, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const stride = columns * 3;
  const lines = Buffer.alloc((stride + 1) * rows);
  for (let row = 0; row < rows; row += 1) {
    const from = row * stride;
    const to = row * (stride + 1) + 1;
    lines[to - 1] = subFilter;
    for (let i = 0; i < stride; i += 1) {
      const left = i < 3 ? 0 : (rgb[from + i - 3] as number);
      lines[to + i] = (rgb[from + i] as number) - left;
    }
  }
  const data = deflateSync(lines, { level: 5 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(data.byteLength + 12);
  bytes.writeUInt32BE(data.byteLength, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.byteLength + 8)), data.byteLength + 8);
  return bytes;
}
