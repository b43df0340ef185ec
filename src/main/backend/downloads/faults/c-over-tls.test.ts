import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createNetwork, type Network } from '../../http/network/network.ts';
import { makeCertificate, type Certificate } from '../../http/testing/make-certificate.ts';
import { startTestProxy } from '../../http/testing/test-proxy.ts';
import { silentLogger } from '../../ports.ts';
import { accountToken } from '../testing/fault-catalog.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(300_000);
const catalogName = 'catalog.test';
const nameBelow = 'files.catalog.test';
let certificate: Certificate;
let folder: string;

beforeAll(async () => {
  certificate = await makeCertificate('127.0.0.1', catalogName, nameBelow);
  folder = mkdtempSync(join(tmpdir(), 'swath-tls-'));
  writeFileSync(join(folder, 'authority.pem'), certificate.authority);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const trial = useFaultTrial(bytes, () => certificate);

/** Trusts the certificate's authority; other names than loopback's are led to this computer by a proxy. */
function networkBy(proxyAddress: string | null): Network {
  const proxy =
    proxyAddress === null
      ? { mode: 'none' as const, url: null }
      : { mode: 'manual' as const, url: `http://${proxyAddress}` };
  const settings = { proxy, extraCaFile: join(folder, 'authority.pem') };
  return createNetwork({ settings, env: {}, clock: { now: Date.now }, logger: silentLogger });
}

beforeEach(() => {
  trial.network = networkBy(null);
});

async function finish(links: 'auto' | 'proxy' = 'auto') {
  const [transfer] = await trial.harness.finish(await trial.harness.start(['B04'], links));
  return transfer;
}

function rename(server: FaultServer, name: string): void {
  server.origin = server.origin.replace('127.0.0.1', name);
}

function expectTokenAtCatalogOnly(): void {
  const tokens = (server: FaultServer) => server.requests.map(({ headers }) => headers.authorization);
  expect(new Set(tokens(trial.api))).toEqual(new Set([`Bearer ${accountToken}`]));
  const others = [...tokens(trial.storage), ...tokens(trial.mirror)];
  expect(others.length).toBeGreaterThan(0);
  expect(new Set(others)).toEqual(new Set([undefined]));
}

describe('over TLS', () => {
  it.each(['storage', 'asset proxy', 'catalog'])('C3 follows no %s from https to http', async (who) => {
    const plain = await startFaultServer(bytes);
    onTestFinished(() => plain.close());
    trial.open();
    trial.bounds.requests = 20;
    const astray = () => ({ status: 302, headers: { location: `${plain.origin}/B04.tif` } });
    if (who === 'storage') for (const store of [trial.storage, trial.mirror]) store.script = astray;
    if (who === 'asset proxy')
      trial.api.script = (_, { path }) => (path === '/v1/asset' ? astray() : undefined);
    if (who === 'catalog') trial.api.script = astray;
    const transfer = await finish(who === 'asset proxy' ? 'proxy' : 'auto');
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'link.insecure-redirect' } });
    expect(plain.connectionCount).toBe(0);
  });

  it('C5 takes no token to a host below the catalog’s, by a signed link', async () => {
    trial.network = networkBy((await startTestProxy()).address);
    rename(trial.api, catalogName);
    rename(trial.storage, nameBelow);
    trial.open();
    expect(await finish()).toMatchObject({ state: 'done', linkKind: 'signed', verification: 'checksum' });
    expect(trial.storage.requests[0]?.headers.host).toMatch(nameBelow);
    expectTokenAtCatalogOnly();
  });

  it.each(['auto', 'proxy'] as const)(
    'C5 takes no token to another port of the catalog’s host, %s',
    async (links) => {
      trial.network = networkBy((await startTestProxy()).address);
      for (const server of [trial.api, trial.storage, trial.mirror]) rename(server, catalogName);
      trial.open();
      expect(await finish(links)).toMatchObject({ state: 'done', verification: 'checksum' });
      expectTokenAtCatalogOnly();
    },
  );

  it('D11 tries again, after a while, when five handshakes are reset', async () => {
    const { time } = trial.open();
    const atMs: number[] = [];
    trial.storage.resetsConnection = (index) => {
      atMs.push(time.clock.now());
      return index < 5;
    };
    expect(await finish()).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(trial.storage.requests).toHaveLength(1);
    const pausesMs = atMs.slice(1).map((laterMs, index) => laterMs - (atMs[index] ?? 0));
    expect(pausesMs).toHaveLength(5);
    expect(Math.min(...pausesMs)).toBeGreaterThan(0);
    expect(pausesMs.at(-1)).toBeGreaterThan(pausesMs[0] ?? 0);
  });
});
