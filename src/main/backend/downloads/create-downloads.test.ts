import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checksumOf,
  createHarness,
  makeBytes,
  type Harness,
  type TestAsset,
} from './testing/download-harness.ts';
import { startFaultServer, type FaultServer } from './testing/fault-server.ts';

const bytes = makeBytes(3_000_000);
let server: FaultServer;
let harness: Harness;

function asset(name: string, changes: Partial<TestAsset> = {}): TestAsset {
  return {
    href: `${server.origin}/${name}`,
    sizeBytes: bytes.length,
    checksum: checksumOf(bytes),
    mediaType: 'application/octet-stream',
    ...changes,
  };
}

beforeEach(async () => {
  server = await startFaultServer(bytes);
});

afterEach(async () => {
  // No request of a transfer ever carries anything that lets somebody in.
  for (const { headers } of server.requests) {
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
    expect(headers['accept-encoding']).toBe('identity');
  }
  await harness.close();
  await server.close();
});

describe('a download', () => {
  it('brings a file home, verified, with its Item, receipt, Collection and Catalog', async () => {
    harness = createHarness({ B04: asset('B04.bin'), thumb: asset('thumb.bin') });
    const downloadId = await harness.start(['B04']);
    const [transfer] = await harness.finish(downloadId);
    expect(transfer).toMatchObject({
      state: 'done',
      verification: 'checksum',
      receivedBytes: bytes.length,
      totalBytes: bytes.length,
      linkKind: 'signed',
      error: null,
    });
    expect(harness.files()).toEqual([
      'catalog.json',
      's2/2024/scene/B04.bin',
      's2/2024/scene/item.json',
      's2/2024/scene/receipt.json',
      's2/collection.json',
    ]);
    expect(harness.read('s2/2024/scene/B04.bin').equals(bytes)).toBe(true);
  });
});
