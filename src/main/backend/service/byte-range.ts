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
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const start = Math.max(0, sizeBytes - Number(last));
    return start < sizeBytes ? { start, end: sizeBytes } : 'unsatisfiable';
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  if (last !== '' && Number(last) < start) return 'whole';
  return start < sizeBytes ? { start, end } : 'unsatisfiable';
}
