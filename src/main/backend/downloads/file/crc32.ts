import { crc32 } from 'node:zlib';

// The CRC-32 of zlib: polynomials over GF(2), bit-reversed.
const polynomial = 0xedb88320;

// x^(2^n) for n = 0…31, which repeat from there on.
const powers = makePowers();

/** The CRC-32 of two stretches of bytes one after the other, from their own CRCs and the second one's length. */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  return (multiply(powerOfBytes(secondBytes), first) ^ second) >>> 0;
}

// x^(8 n) modulo the polynomial: what n more bytes do to a CRC.
function powerOfBytes(bytes: number): number {
  let result = 0x80000000;
  let left = bytes;
  for (let exponent = 3; left > 0; exponent += 1) {
    if (left % 2 === 1) result = multiply(powers[exponent & 31] ?? 0, result);
    left = Math.floor(left / 2);
  }
  return result;
}

function multiply(left: number, right: number): number {
  let product = 0;
  let shifted = right;
  for (let bit = 31; bit >= 0; bit -= 1) {
    if ((left >>> bit) & 1) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return product >>> 0;
}

function makePowers(): number[] {
  const result: number[] = [];
  let power = 0x40000000;
  for (let index = 0; index < 32; index += 1) {
    result.push(power);
    power = multiply(power, power);
  }
  return result;
}

/** Adds bytes that begin at a position of a file to the CRC-32 of its chunks. */
export function addCrcs(
  crcs: number[],
  bytes: Uint8Array,
  { start, chunkBytes }: { start: number; chunkBytes: number },
): void {
  for (let offset = 0; offset < bytes.length;) {
    const index = Math.floor((start + offset) / chunkBytes);
    const room = (index + 1) * chunkBytes - start - offset;
    const piece = bytes.subarray(offset, offset + room);
    crcs[index] = crc32(piece, crcs[index] ?? 0);
    offset += piece.length;
  }
}
