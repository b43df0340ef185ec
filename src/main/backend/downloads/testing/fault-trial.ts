import { rmSync } from 'node:fs';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { TokenSource } from '../../http/http-client.ts';
import type { Network } from '../../http/network/network.ts';
import type { Certificate } from '../../http/testing/make-certificate.ts';
import { createS3Signer } from '../../links/s3/s3-signer.ts';
import type { DownloadsOptions } from '../downloads.ts';
import { connectToCatalog } from './connect-to-catalog.ts';
import { checksumOf, createHarness, makeBytes, type Harness, type TestAsset } from './download-harness.ts';
import type { Fault } from './fault.ts';
import { awsKeys, serveCatalog, type FaultCatalog } from './fault-catalog.ts';
import { startFaultServer, type FaultServer } from './fault-server.ts';
import { checkBudget, checkFiles, checkSecrets, checkWakeConditions } from './invariants.ts';
import { createManualTime, type ManualTime } from './manual-time.ts';

/** Where the file of the trial's asset is, below the destination. */
export const trialPath = 's2/2024/scene/B04.tif';

/** A queue between a catalog with its proxy and two storages, all of which misbehave on demand. */
export interface FaultTrial {
  /** What the storages have. */
  bytes: Buffer;
  api: FaultServer;
  /** Where signed links lead. */
  storage: FaultServer;
  /** Where the proxy leads. */
  mirror: FaultServer;
  catalog: FaultCatalog;
  /** The way to the servers, to be set before the queue is opened; null for straight there. */
  network: Network | null;
  /** Where the account's tokens come from, to be set before the queue is opened; null for the one that the catalog takes. */
  tokens: { current: () => string; renew: NonNullable<TokenSource['renew']> } | null;
  harness: Harness;
  /** What the invariants of the test are measured by; to be set where a fault costs more. */
  bounds: {
    /** Of all servers together. */
    requests: number;
    /** How often the file may be sent from its beginning to its end. */
    wholes: number;
    /** Bytes that may be under a final name. */
    sources: Buffer[];
    transferCount: number;
  };
  /** Opens the queue for `B04`, announced as it is but for the changes. */
  open(changes?: Partial<TestAsset>, options?: Partial<DownloadsOptions>): Harness;
  /** Opens the queue for so many assets with the same bytes, `B0` and on, and gives their keys. */
  openMany(count: number, changes?: Partial<TestAsset>, options?: Partial<DownloadsOptions>): string[];
  /** Brings the file home while these faults, one after the other, befall the requests to the storage. */
  bring(...faults: (Fault | undefined)[]): Promise<Transfer>;
  /** `Range` of every request to a server. */
  ranges(server?: FaultServer): (string | null)[];
}

/** A TIFF, by its first bytes. */
export function makeTiff(sizeBytes: number, seed = 1): Buffer {
  const tiff = makeBytes(sizeBytes, seed);
  tiff.write('II*\0', 'latin1');
  return tiff;
}

/**
 * Gives every test of the file a trial of its own; after each, all invariants (downloads.md d) are asserted. With a
 * certificate, which may be made in `beforeAll`, all is https.
 */
export function useFaultTrial(bytes: Buffer, certificate?: () => Certificate): FaultTrial {
  vi.setConfig({ testTimeout: 30_000 });
  const trial = { bytes } as FaultTrial;
  let log: string[] = [];
  let time: ManualTime;

  beforeEach(async () => {
    log = [];
    time = createManualTime();
    const [api, storage, mirror] = await Promise.all([
      startFaultServer(Buffer.alloc(0), certificate?.()),
      startFaultServer(bytes, certificate?.()),
      startFaultServer(bytes, certificate?.()),
    ]);
    Object.assign(trial, { api, storage, mirror, network: null, tokens: null });
    trial.bounds = { requests: 4, wholes: 1, sources: [bytes], transferCount: 1 };
  });

  afterEach(async () => {
    const { harness, api, storage, mirror, bounds } = trial;
    const told = JSON.stringify([harness.downloads.transfers(), harness.downloads.report(null)]);
    await harness.downloads.close();
    try {
      checkFiles(harness, bounds.sources, [bounds.transferCount]);
      checkWakeConditions(harness);
      checkSecrets({ place: harness, storages: [storage, mirror], log, told: [told] });
      checkBudget([storage, mirror], [api, storage, mirror], { ...bounds, sourceBytes: bytes.length });
    } finally {
      rmSync(harness.folder, { recursive: true, force: true });
      await Promise.all([api.close(), storage.close(), mirror.close()]);
    }
  });

  trial.open = (changes, options) => {
    openWith({ B04: toAsset('B04', changes) }, options);
    return trial.harness;
  };
  trial.openMany = (count, changes, options) => {
    const keys = Array.from({ length: count }, (_, index) => `B${index}`);
    openWith(Object.fromEntries(keys.map((key) => [key, toAsset(key, changes)])), options);
    Object.assign(trial.bounds, { transferCount: count, wholes: count, requests: count * 4 });
    return keys;
  };

  function toAsset(key: string, changes: Partial<TestAsset> = {}): TestAsset {
    const href = `${trial.storage.origin}/${key}.tif`;
    const known = { sizeBytes: bytes.length, checksum: checksumOf(bytes), mediaType: 'image/tiff' };
    return { href, ...known, ...changes };
  }

  function openWith(assets: Record<string, TestAsset>, options: Partial<DownloadsOptions> = {}): void {
    trial.catalog = serveCatalog(trial, assets, time.clock);
    trial.harness = createHarness(assets, { ...connect(), ...options }, time);
  }

  function connect(): Partial<DownloadsOptions> {
    const { tokens, network, api, storage } = trial;
    const token = tokens?.current ?? (() => trial.catalog.token);
    return connectToCatalog({
      origin: api.origin,
      token,
      time,
      log,
      network,
      s3: createS3Signer({
        credentials: { get: () => Promise.resolve(awsKeys) },
        env: { AWS_ENDPOINT_URL: storage.origin },
      }),
      ...(tokens ? { renew: tokens.renew } : {}),
    });
  }

  trial.bring = async (...faults) => {
    trial.storage.script = (index) => faults[index];
    const [transfer] = await trial.harness.finish(await trial.harness.start(['B04']));
    if (transfer === undefined) throw new Error('The transfer is gone');
    return transfer;
  };
  trial.ranges = (server = trial.storage) => server.requests.map(({ headers }) => headers.range ?? null);
  return trial;
}
