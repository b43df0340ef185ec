/** A checksum that can be computed here. */
export interface Checksum {
  /** Name that `createHasher` knows. */
  algorithm: string;
  /** Lowercase hex; shorter than the algorithm's digest where the catalog cut it. */
  digestHex: string;
}

interface HashKind {
  algorithm: string;
  lengthBytes: number;
}

// Codes of the multicodec table.
const kinds: ReadonlyMap<number, HashKind> = new Map([
  [0x11, { algorithm: 'sha1', lengthBytes: 20 }],
  [0x12, { algorithm: 'sha256', lengthBytes: 32 }],
  [0x13, { algorithm: 'sha512', lengthBytes: 64 }],
  [0x14, { algorithm: 'sha3-512', lengthBytes: 64 }],
  [0x15, { algorithm: 'sha3-384', lengthBytes: 48 }],
  [0x16, { algorithm: 'sha3-256', lengthBytes: 32 }],
  [0x17, { algorithm: 'sha3-224', lengthBytes: 28 }],
  [0x20, { algorithm: 'sha384', lengthBytes: 48 }],
  [0xd5, { algorithm: 'md5', lengthBytes: 16 }],
  [0x1013, { algorithm: 'sha224', lengthBytes: 28 }],
  [0x1014, { algorithm: 'sha512-224', lengthBytes: 28 }],
  [0x1015, { algorithm: 'sha512-256', lengthBytes: 32 }],
  [0x1053, { algorithm: 'ripemd160', lengthBytes: 20 }],
]);

// Fewer bits would let a damaged file pass for a whole one.
const shortestDigestBytes = 16;

// BLAKE2 has a code, and a function, for every length: a shorter digest is not the beginning of a longer one.
function kindOf(code: number): HashKind | undefined {
  if (code >= 0xb201 && code <= 0xb240) return blake2('blake2b', code - 0xb200);
  if (code >= 0xb241 && code <= 0xb260) return blake2('blake2s', code - 0xb240);
  return kinds.get(code);
}

function blake2(name: string, lengthBytes: number): HashKind {
  return { algorithm: `${name}-${lengthBytes * 8}`, lengthBytes };
}

/**
 * Reads a `file:checksum`: a multihash in hex, whole or cut, or the bare MD5 that some catalogs send (downloads.md
 * c.5). Null when it is malformed or of a kind that can't be computed: the file is then not verifiable by it.
 */
export function decodeChecksum(text: string): Checksum | null {
  const hex = text.trim().toLowerCase();
  if (!/^(?:[0-9a-f]{2})+$/.test(hex)) return null;
  const multihash = splitMultihash(Buffer.from(hex, 'hex'));
  if (multihash !== null) return toChecksum(multihash);
  return hex.length === 32 ? { algorithm: 'md5', digestHex: hex } : null;
}

/** Whether a file is proved by what the catalog announced as its checksum. */
export function isProof(announced: string | null): boolean {
  return announced !== null && decodeChecksum(announced) !== null;
}

/** Why a `file:checksum` proves nothing: it is no checksum, or one of a kind that can't be computed; null where it does. */
export function findChecksumProblem(text: string): 'malformed' | 'unknown-kind' | null {
  if (decodeChecksum(text) !== null) return null;
  const hex = text.trim().toLowerCase();
  const multihash = /^(?:[0-9a-f]{2})+$/.test(hex) ? splitMultihash(Buffer.from(hex, 'hex')) : null;
  // A digest longer than its kind has, or too short to prove anything, is no such digest.
  return multihash === null || kindOf(multihash.code) !== undefined ? 'malformed' : 'unknown-kind';
}

/** The multihash in hex of a SHA-256 digest in hex. */
export function encodeSha256(digestHex: string): string {
  return `1220${digestHex}`;
}

interface Multihash {
  code: number;
  digest: Buffer;
}

function splitMultihash(bytes: Buffer): Multihash | null {
  const code = readVarint(bytes, 0);
  const length = code && readVarint(bytes, code.end);
  if (!length || bytes.length - length.end !== length.value || length.value === 0) return null;
  return { code: code.value, digest: bytes.subarray(length.end) };
}

function toChecksum({ code, digest }: Multihash): Checksum | null {
  const kind = kindOf(code);
  if (!kind || digest.length > kind.lengthBytes || digest.length < shortestDigestBytes) return null;
  if (digest.length < kind.lengthBytes && kind.algorithm.startsWith('blake2')) return null;
  return { algorithm: kind.algorithm, digestHex: digest.toString('hex') };
}

// Unsigned varint of the multiformats: at most 9 bytes; 4 are more than any known code needs.
function readVarint(bytes: Buffer, start: number): { value: number; end: number } | null {
  let value = 0;
  for (let index = 0; index < 4; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: start + index + 1 };
  }
  return null;
}
