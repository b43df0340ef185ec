/** What goes to a disk past the system's cache begins and ends where a page does, in the file as in memory. */
export const pageBytes = 4096;

/**
 * Memory that begins where a page does, and that other threads may see: V8 takes what could grow straight from the system,
 * and anything else from the allocator, which puts a head of its own before it. None of this ever grows.
 */
export function allocatePages(sizeBytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(sizeBytes, { maxByteLength: sizeBytes });
}

/** Whether bytes are in such memory, and the first of them is the first of a page. */
export function beginsWithPage({ buffer, byteOffset }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer && buffer.growable && byteOffset % pageBytes === 0;
}
