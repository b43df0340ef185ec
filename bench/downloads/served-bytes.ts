import { createHash } from 'node:crypto';

/** One megabyte that begins as a TIFF does; files of a bench are nothing but it, again and again. */
export function makeBlock(): Buffer {
  const block = Buffer.alloc(1024 * 1024);
  for (let index = 0; index < block.length; index += 4)
    block.writeUInt32LE(((index * 2654435761) % 2 ** 32) >>> 0, index);
  block.write('II*\0', 'latin1');
  return block;
}

/** `file:checksum` of a file of blocks. */
export function checksumOfBlocks(sizeBytes: number): string {
  const block = makeBlock();
  const hash = createHash('sha256');
  for (let left = sizeBytes; left > 0; left -= block.length)
    hash.update(block.subarray(0, Math.min(left, block.length)));
  return `1220${hash.digest('hex')}`;
}
