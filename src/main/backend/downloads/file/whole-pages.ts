import { beginsWithPage, pageBytes } from '../../http/bulk/pages.ts';

/**
 * Of buffers that are written one after the other at a position the first ones, or parts of them, that are whole pages in
 * memory as in the file; none where the first byte of them isn't the first of a page.
 */
export function wholePages(buffers: readonly Uint8Array[], positionBytes: number): Uint8Array[] {
  if (positionBytes % pageBytes !== 0) return [];
  const pages: Uint8Array[] = [];
  for (const buffer of buffers) {
    if (!beginsWithPage(buffer)) break;
    const whole = floorToPage(buffer.length);
    if (whole > 0) pages.push(buffer.subarray(0, whole));
    if (whole < buffer.length) break;
  }
  return pages;
}

/** Of buffers at a position what comes before the first whole page; all of them where there is none. */
export function beforeWholePages(
  buffers: readonly Uint8Array[],
  positionBytes: number,
): readonly Uint8Array[] {
  const restOfPage = pageBytes - (positionBytes % pageBytes);
  const [first] = buffers;
  const hasPages =
    first !== undefined &&
    first.length >= restOfPage + pageBytes &&
    beginsWithPage(first.subarray(restOfPage));
  return hasPages ? [first.subarray(0, restOfPage)] : buffers;
}

/** The largest number of whole pages in so many bytes, in bytes. */
export function floorToPage(bytes: number): number {
  return bytes - (bytes % pageBytes);
}

/** Buffers one after the other, those that lie so in memory too as one. */
export function joinNeighbours(buffers: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = [];
  for (const next of buffers) {
    const last = joined.at(-1);
    if (last?.buffer === next.buffer && last.byteOffset + last.length === next.byteOffset) {
      joined[joined.length - 1] = new Uint8Array(next.buffer, last.byteOffset, last.length + next.length);
    } else joined.push(next);
  }
  return joined;
}
