/** Bytes from `start` to `end`, `end` excluded. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a Range header for a file of `sizeBytes` (RFC 9110 §14). `whole` when there is none, when it is malformed
 * or asks for several ranges: a server may always answer with everything.
 */
export function readByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  const range = match ? toRange(match[1] ?? '', match[2] ?? '', sizeBytes) : null;
  if (range === null) return 'whole';
  return range.start < sizeBytes ? range : 'unsatisfiable';
}

// Null when the numbers make no range.
function toRange(first: string, last: string, sizeBytes: number): ByteRange | null {
  if (first === '')
    return last === '' ? null : { start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes };
  if (last === '') return { start: Number(first), end: sizeBytes };
  const range = { start: Number(first), end: Math.min(Number(last) + 1, sizeBytes) };
  return Number(last) < range.start ? null : range;
}
