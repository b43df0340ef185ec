import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { DownloadsOptions } from '../downloads.ts';
import { checksumOf, createHarness, type Harness, type TestAsset } from './download-harness.ts';
import { startFaultServer, type FaultServer } from './fault-server.ts';

/** What each test of a file has: a storage of its own, and a queue once it opened one. */
export interface DownloadsTest {
  server: FaultServer;
  harness: Harness;
  /** An asset of the storage, as a catalog that knows it announces it. */
  asset(name: string, changes?: Partial<TestAsset>): TestAsset;
  open(assets: Record<string, TestAsset>, changes?: Partial<DownloadsOptions>): void;
}

/**
 * Gives every test of the file a storage with these bytes, or all of them one. After that, it has seen no token and no
 * cookie.
 */
export function useDownloads(
  bytes: Buffer,
  { isShared = false }: { isShared?: boolean } = {},
): DownloadsTest {
  const test = {
    asset: (name, changes = {}) => ({
      href: `${test.server.origin}/${name}`,
      sizeBytes: bytes.length,
      checksum: checksumOf(bytes),
      mediaType: 'application/octet-stream',
      ...changes,
    }),
    open: (assets, changes) => {
      test.harness = createHarness(assets, changes);
    },
  } as DownloadsTest;
  const [before, after] = isShared ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    test.server = await startFaultServer(bytes);
  });
  after(async () => {
    for (const { headers } of test.server.requests) {
      expect(headers.authorization).toBeUndefined();
      expect(headers.cookie).toBeUndefined();
    }
    await test.harness.close();
    await test.server.close();
  });
  return test;
}
