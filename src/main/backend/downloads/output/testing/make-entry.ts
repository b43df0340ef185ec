import type { ReceiptEntry } from '../receipt.ts';

/** What a receipt says of a file of one byte, named after its asset. */
export function makeEntry(asset: string): ReceiptEntry {
  return {
    asset,
    file: `${asset}.tif`,
    source: `https://files.example/${asset}.tif`,
    bytes: 1,
    checksum: `1220${'00'.repeat(32)}`,
    verification: 'size-only',
    isVerified: false,
    etag: null,
    started: '2026-01-01T00:00:00Z',
    finished: '2026-01-01T00:00:00Z',
    swathVersion: '1',
  };
}
