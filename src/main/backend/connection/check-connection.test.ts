import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultNetworkSettings } from '#shared/settings/network-settings.ts';
import { startDemo, type RunningDemo } from '../demo/start-demo.ts';
import type { Credentials } from '../http/http-client.ts';
import { createNetwork } from '../http/network/network.ts';
import { createOAuth2Tokens } from '../http/oauth2-token.ts';
import type { RecordedRequest, Reply } from '../http/testing/recording-server.ts';
import { serve } from '../http/testing/serve.ts';
import { startTestProxy } from '../http/testing/test-proxy.ts';
import { startTlsServer } from '../http/testing/tls-server.ts';
import { silentLogger, systemClock } from '../ports.ts';
import { checkConnection, type CheckOptions, type CheckStep } from './check-connection.ts';

const basics = { clock: systemClock, logger: silentLogger };

async function check(options: Partial<CheckOptions> & { baseUrl: string }): Promise<CheckStep[]> {
  const steps: CheckStep[] = [];
  for await (const step of checkConnection({ credentials: null, ...basics, ...options })) steps.push(step);
  return steps;
}

const statesOf = (steps: CheckStep[]) => Object.fromEntries(steps.map(({ step, state }) => [step, state]));
const detailOf = (steps: CheckStep[], name: string) => steps.find(({ step }) => step === name)?.detail ?? '';
const errorOf = (steps: CheckStep[], name: string) => steps.find(({ step }) => step === name)?.error ?? null;
const tokenFor = (origin: string, token = 'sesame-42'): Credentials => ({
  origin,
  accessToken: () => Promise.resolve(token),
});

describe('a check of a whole catalog', () => {
  let dataDir: string;
  let demo: RunningDemo;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'swath-check-'));
    demo = await startDemo({ dataDir, port: 0, itemCount: 60 });
  }, 60_000);
  afterAll(async () => {
    await demo.close();
    await rm(dataDir, { recursive: true });
  });

  // The demo catalog draws the file when it is first asked for.
  it('tells what works, step by step', async () => {
    const { baseUrl, token } = demo;
    const steps = await check({ baseUrl, credentials: tokenFor(new URL(baseUrl).origin, token) });
    expect(statesOf(steps)).toEqual({
      reachable: 'ok',
      tls: 'skipped',
      authenticated: 'ok',
      collections: 'ok',
      search: 'ok',
      queryables: 'ok',
      'signed-links': 'ok',
      'proxy-links': 'ok',
    });
    expect(detailOf(steps, 'reachable')).toMatch(/answers in \d+ ms$/);
    expect(detailOf(steps, 'collections')).toMatch(/^\d+ collections$/);
    expect(detailOf(steps, 'queryables')).toMatch(/^\d+ properties of /);
    expect(detailOf(steps, 'signed-links')).toMatch(/ answers from .* valid until \d{4}-/);
    expect(detailOf(steps, 'proxy-links')).toContain(`leads to ${new URL(demo.storageOrigin).host}`);
    expect(JSON.stringify(steps)).not.toContain(token);
  });

  it('stops at a token that is refused', async () => {
    const { baseUrl } = demo;
    const steps = await check({ baseUrl, credentials: tokenFor(new URL(baseUrl).origin, 'wrong-token') });
    expect(statesOf(steps)).toEqual({
      reachable: 'ok',
      tls: 'skipped',
      authenticated: 'failed',
      collections: 'skipped',
      search: 'skipped',
      queryables: 'skipped',
      'signed-links': 'skipped',
      'proxy-links': 'skipped',
    });
    expect(errorOf(steps, 'authenticated')?.code).toBe('auth.required');
    expect(JSON.stringify(steps)).not.toContain('wrong-token');
  });

  it('names the token address that refuses the client', async () => {
    const tokenServer = await serve(() => ({ status: 401, body: { error: 'invalid_client' } }));
    const { baseUrl } = demo;
    const tokens = createOAuth2Tokens({
      client: {
        tokenUrl: tokenServer.origin,
        clientId: 'someone',
        style: 'body',
        secret: () => Promise.resolve('hush-hush'),
      },
      ...basics,
    });
    const steps = await check({ baseUrl, credentials: { origin: new URL(baseUrl).origin, ...tokens } });
    expect(errorOf(steps, 'authenticated')?.toData()).toMatchObject({
      code: 'auth.client-refused',
      details: { reason: 'invalid_client' },
    });
    expect(statesOf(steps)['search']).toBe('skipped');
    expect(tokenServer.requests).toHaveLength(1);
    expect(JSON.stringify(steps)).not.toContain('hush-hush');
  });

  it('can be stopped', async () => {
    const controller = new AbortController();
    const { baseUrl, token } = demo;
    const credentials = tokenFor(new URL(baseUrl).origin, token);
    const seen: string[] = [];
    for await (const { step } of checkConnection({
      baseUrl,
      credentials,
      ...basics,
      signal: controller.signal,
    })) {
      seen.push(step);
      if (step === 'tls') controller.abort();
    }
    expect(seen).toEqual(['reachable', 'tls']);
  });
});

describe('a check of half a catalog', () => {
  const item = {
    type: 'Feature',
    stac_version: '1.0.0',
    id: 'one',
    collection: 'c1',
    geometry: null,
    properties: { datetime: '2026-01-01T00:00:00Z' },
    links: [],
    assets: { data: { href: 's3://bucket/data.tif' } },
  };

  /** A catalog of one item; `override` answers first. */
  const serveCatalog = (override: (request: RecordedRequest) => Reply | null) =>
    serve((request) => {
      const path = request.target.split('?')[0] ?? '';
      const reply = override(request);
      if (reply !== null) return reply;
      if (path.endsWith('/collections')) return { body: { collections: [{ id: 'c1' }], links: [] } };
      if (path.endsWith('/search'))
        return { body: { type: 'FeatureCollection', features: [item], links: [] } };
      if (path.endsWith('/queryables')) return { body: { properties: { platform: {} } } };
      if (path.endsWith('/items/one')) return { body: item };
      return { body: { stac_version: '1.0.0', links: [] } };
    });

  it('goes on after a step that fails where the next can do without it', async () => {
    const server = await serveCatalog(({ target }) => {
      if (target.endsWith('/collections')) return { status: 404 };
      return target.includes('/queryables') ? { status: 404 } : null;
    });
    const steps = await check({ baseUrl: `${server.origin}/stac` });
    expect(statesOf(steps)).toEqual({
      reachable: 'ok',
      tls: 'skipped',
      authenticated: 'skipped',
      collections: 'failed',
      search: 'ok',
      queryables: 'warned',
      'signed-links': 'warned',
      'proxy-links': 'skipped',
    });
  });

  it('sends the token to the proxy endpoint and no further', async () => {
    const storage = await serve(() => ({ body: 'bytes' }));
    const server = await serveCatalog(({ target, headers }) => {
      const origin = `http://${headers.host}`;
      if (target.startsWith('/asset'))
        return { status: 307, headers: { location: `${storage.origin}/f?Signature=s` } };
      const isProxied = headers['x-proxy-asset-urls'] === 'true';
      const isSigned = headers['x-signed-asset-urls'] === 'true';
      if (!target.includes('/items/one') || !(isProxied || isSigned)) return null;
      const href = isProxied
        ? `${origin}/asset?asset_path=s3://bucket/data.tif&item_id=one`
        : `${storage.origin}/f?Signature=s&Expires=4000000000`;
      return { body: { ...item, assets: { data: { href: 's3://b/d', alternate: { download: { href } } } } } };
    });
    const steps = await check({ baseUrl: `${server.origin}/stac`, credentials: tokenFor(server.origin) });
    expect(statesOf(steps)).toMatchObject({ 'signed-links': 'ok', 'proxy-links': 'ok' });
    const asked = server.requests.find(({ target }) => target.startsWith('/asset'));
    expect(asked?.headers.authorization).toBe('Bearer sesame-42');
    expect(storage.requests.map(({ headers }) => [headers.range, headers.authorization])).toEqual([
      ['bytes=0-0', undefined],
    ]);
  });

  it('says when storage refuses a signed link', async () => {
    const storage = await serve(() => ({ status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }));
    const href = `${storage.origin}/f?Signature=very-secret&Expires=4000000000`;
    const server = await serveCatalog(({ target }) =>
      target.includes('/items/one')
        ? { body: { ...item, assets: { data: { href: 's3://b/d', alternate: { download: { href } } } } } }
        : null,
    );
    const steps = await check({ baseUrl: `${server.origin}/stac` });
    expect(errorOf(steps, 'signed-links')?.toData()).toMatchObject({
      code: 'link.refused',
      details: { status: 403 },
    });
    expect(JSON.stringify(steps)).not.toContain('very-secret');
  });

  it('says when nobody is there', async () => {
    const server = await serve(() => ({}));
    await server.close();
    const steps = await check({ baseUrl: `${server.origin}/stac` });
    expect(errorOf(steps, 'reachable')?.code).toBe('network.offline');
    expect(Object.values(statesOf(steps)).slice(1)).toEqual(Array(7).fill('skipped'));
  });

  it('says when a web page answers', async () => {
    const server = await serve(() => ({ body: '<html><title>Welcome</title></html>' }));
    const steps = await check({ baseUrl: `${server.origin}/stac` });
    expect(statesOf(steps)).toMatchObject({ reachable: 'ok', collections: 'failed', search: 'failed' });
    expect(errorOf(steps, 'collections')?.code).toBe('stac.invalid-response');
  });
});

describe('a check over TLS', () => {
  it('tells a certificate that is not trusted from a server that is not there', async () => {
    const server = await startTlsServer('localhost');
    const steps = await check({ baseUrl: `https://localhost:${server.port}/stac` });
    expect(statesOf(steps)).toMatchObject({ reachable: 'ok', tls: 'failed', authenticated: 'skipped' });
    expect(errorOf(steps, 'tls')?.code).toBe('network.tls');
  });

  it('names version, issuer and the proxy on the way', async () => {
    const proxy = await startTestProxy();
    const server = await startTlsServer('catalog.test');
    const dataDir = await mkdtemp(join(tmpdir(), 'swath-check-'));
    const extraCaFile = join(dataDir, 'ca.pem');
    await writeFile(extraCaFile, server.authority);
    const network = createNetwork({
      settings: { ...defaultNetworkSettings, extraCaFile },
      env: { HTTPS_PROXY: `http://me:hush-hush@${proxy.address}` },
      ...basics,
    });
    const steps = await check({ baseUrl: `https://catalog.test:${server.port}/stac`, network });
    await rm(dataDir, { recursive: true });
    expect(detailOf(steps, 'reachable')).toContain(`through the proxy ${proxy.address}`);
    expect(detailOf(steps, 'tls')).toBe('TLS 1.3, certificate issued by Test authority');
    expect(JSON.stringify(steps)).not.toContain('hush-hush');
  });

  it('says when the proxy refuses', async () => {
    const proxy = await startTestProxy(() => 407);
    const network = createNetwork({
      settings: { proxy: { mode: 'manual', url: `http://${proxy.address}` }, extraCaFile: null },
      env: {},
      ...basics,
    });
    const steps = await check({ baseUrl: 'https://catalog.test/stac', network });
    expect(errorOf(steps, 'reachable')?.toData()).toMatchObject({
      code: 'network.proxy',
      details: { status: 407 },
    });
  });
});
