/**
 * SHA-256 and MD5 that go on from a kept state. `node:crypto` can't: its hashes begin at the first byte, and a 10 GB
 * file whose last 300 bytes differ would have to be read whole. See plates.ts.
 */
export interface ResumableHash {
  /** The state before the first byte. */
  start: () => Uint32Array;
  /** Takes in whole 64-byte blocks. */
  update: (state: Uint32Array, bytes: Uint8Array) => void;
  /** The digest in hex of everything taken in before (`lengthBytes`, a multiple of 64) and then `tail`. */
  finish: (state: Uint32Array, lengthBytes: number, tail: Uint8Array) => string;
}

const blockBytes = 64;
// Signed: V8 keeps 32-bit values as integers only then, which makes this four times as fast.
const words = new Int32Array(64);

/** Integer parts of a function of the first primes or numbers: where both algorithms' constants come from. */
const sha256Constants = Int32Array.from(fractionsOfPrimes(64, Math.cbrt));
const md5Constants = Int32Array.from(
  { length: 64 },
  (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0,
);
const md5Shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21] as const;

/** SHA-256 (FIPS 180-4). */
export const sha256: ResumableHash = {
  start: () => fractionsOfPrimes(8, Math.sqrt),
  update: (state, bytes) => eachBlock(bytes, (view, offset) => compressSha256(state, view, offset)),
  finish: (state, lengthBytes, tail) =>
    finish(state, { lengthBytes, tail, isLittleEndian: false }, sha256.update),
};

/** MD5 (RFC 1321), which some catalogs give as a checksum. */
export const md5: ResumableHash = {
  start: () => Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476),
  update: (state, bytes) => eachBlock(bytes, (view, offset) => compressMd5(state, view, offset)),
  finish: (state, lengthBytes, tail) =>
    finish(state, { lengthBytes, tail, isLittleEndian: true }, md5.update),
};

function eachBlock(bytes: Uint8Array, compress: (view: DataView, offset: number) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = 0; offset + blockBytes <= bytes.byteLength; offset += blockBytes) compress(view, offset);
}

function finish(
  state: Uint32Array,
  { lengthBytes, tail, isLittleEndian }: { lengthBytes: number; tail: Uint8Array; isLittleEndian: boolean },
  update: ResumableHash['update'],
): string {
  const padded = new Uint8Array(Math.ceil((tail.byteLength + 9) / blockBytes) * blockBytes);
  padded.set(tail);
  padded[tail.byteLength] = 0x80;
  const bits = BigInt(lengthBytes + tail.byteLength) * 8n;
  new DataView(padded.buffer).setBigUint64(padded.byteLength - 8, bits, isLittleEndian);
  const last = state.slice();
  update(last, padded);
  const digest = Buffer.alloc(last.length * 4);
  last.forEach((word, i) =>
    isLittleEndian ? digest.writeUInt32LE(word, i * 4) : digest.writeUInt32BE(word, i * 4),
  );
  return digest.toString('hex');
}

function compressSha256(state: Uint32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const x = words[i - 15] as number;
    const y = words[i - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = ((words[i - 16] as number) + s0 + (words[i - 7] as number) + s1) | 0;
  }
  let a = (state[0] as number) | 0;
  let b = (state[1] as number) | 0;
  let c = (state[2] as number) | 0;
  let d = (state[3] as number) | 0;
  let e = (state[4] as number) | 0;
  let f = (state[5] as number) | 0;
  let g = (state[6] as number) | 0;
  let h = (state[7] as number) | 0;
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (sha256Constants[i] as number) + (words[i] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  addTo(state, [a, b, c, d, e, f, g, h]);
}

function compressMd5(state: Uint32Array, view: DataView, offset: number): void {
  let a = (state[0] as number) | 0;
  let b = (state[1] as number) | 0;
  let c = (state[2] as number) | 0;
  let d = (state[3] as number) | 0;
  for (let i = 0; i < 64; i += 1) {
    const round = i >>> 4;
    let mixed = (b & c) | (~b & d);
    let index = i;
    if (round === 1) {
      mixed = (d & b) | (~d & c);
      index = (5 * i + 1) & 15;
    } else if (round === 2) {
      mixed = b ^ c ^ d;
      index = (3 * i + 5) & 15;
    } else if (round === 3) {
      mixed = c ^ (b | ~d);
      index = (7 * i) & 15;
    }
    const sum = (a + mixed + (md5Constants[i] as number) + view.getUint32(offset + index * 4, true)) | 0;
    const shift = md5Shifts[(round << 2) | (i & 3)] as number;
    a = d;
    d = c;
    c = b;
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0;
  }
  addTo(state, [a, b, c, d]);
}

function addTo(state: Uint32Array, summands: readonly number[]): void {
  summands.forEach((summand, i) => {
    state[i] = ((state[i] ?? 0) + summand) | 0;
  });
}

/** First 32 bits of the fractional parts of a root of the first primes. */
function fractionsOfPrimes(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}
