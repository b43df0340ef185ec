/** A stream of pseudo-random numbers that is the same for the same seed everywhere. */
export interface Random {
  /** From 0 to 1, 1 excluded. */
  next(): number;
  between(low: number, high: number): number;
  /** Whole, from 0 to `count`, `count` excluded. */
  int(count: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
}

/** Mixes whole numbers into 32 well-spread bits (murmur3's finalizer after each). */
export function mixBits(...numbers: number[]): number {
  let h = 0x9e3779b9;
  for (const number of numbers) {
    h ^= number | 0;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return h >>> 0;
}

/** Mixes two whole numbers and a salt; for every pixel of a picture, hence without a list. */
export function mixPair(x: number, y: number, salt: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ salt;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** 32 bits of a text (FNV-1a, then mixed). */
export function hashText(text: string, salt = 0): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mixBits(h, salt);
}

/** A generator (sfc32) seeded by whole numbers: the same numbers, the same stream. */
export function createRandom(...seed: number[]): Random {
  let a = mixBits(1, ...seed);
  let b = mixBits(2, ...seed);
  let c = mixBits(3, ...seed);
  let counter = 1;
  const next = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  for (let i = 0; i < 4; i += 1) next();
  const int = (count: number): number => Math.floor(next() * count);
  return {
    next,
    int,
    between: (low, high) => low + (high - low) * next(),
    pick: (values) => values[int(values.length)] ?? values[0],
  };
}

/** Upper-case hexadecimal digits, as product names carry them. */
export function hexDigits(random: Random, count: number): string {
  let digits = '';
  for (let i = 0; i < count; i += 1) digits += '0123456789ABCDEF'.charAt(random.int(16));
  return digits;
}
