import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { RecordedRequest, RecordingServer, Reply } from '../../http/testing/recording-server.ts';
import { startRecordingServer } from '../../http/testing/recording-server.ts';
import { createLinkResolver } from '../../links/create-link-resolver.ts';
import type { ResolveOptions } from '../../links/link.ts';
import { createS3Signer } from '../../links/s3/s3-signer.ts';
import type { Logger } from '../../ports.ts';
import {
  checksumOf,
  createHarness,
  makeBytes,
  poll,
  secretToken,
  type Harness,
} from '../testing/download-harness.ts';
import { filesIn } from '../testing/files-in.ts';
import { accessDenied, announceFile, catalogOver, denied, expired, sendFile } from '../testing/link-parts.ts';

const bytes = makeBytes(3_000_000, 3);
const filePath = 's2/2024/scene/B04.tif';
/** The connection is cut after a million bytes. */
const cut = 'cut' as const;

type Answer = Reply | typeof cut | undefined;

/** A catalog with its proxy, a storage, and another storage, each of an origin of its own. */
let api: RecordingServer;
let storage: RecordingServer;
let elsewhere: RecordingServer;
let harness: Harness;
/** What the storages answer in place of the file, for a request of each counted from 0. */
let answer: (index: number, request: RecordedRequest) => Answer;
let answerElsewhere: (index: number, request: RecordedRequest) => Answer;
let proxy: (index: number) => Reply;
let item: (index: number, links: 'signed' | 'proxy') => Reply;
let assets: (links: 'signed' | 'proxy') => Record<string, unknown>;
let mintedCount = 0;
let etag: string | null = '"v1"';
let logged: string[] = [];

beforeEach(async () => {
  mintedCount = 0;
  etag = '"v1"';
  logged = [];
  answer = () => undefined;
  answerElsewhere = () => undefined;
  api = await startRecordingServer((request) => {
    const count = (start: string) => api.requests.filter(({ target }) => target.startsWith(start)).length - 1;
    if (request.headers.authorization !== `Bearer ${secretToken}`) return { status: 401 };
    if (request.target.startsWith('/v1/asset')) return proxy(count('/v1/asset'));
    return item(count('/v1/stac'), request.headers['x-proxy-asset-urls'] === 'true' ? 'proxy' : 'signed');
  });
  const store = (index: () => number, program: () => typeof answer) =>
    startRecordingServer((request, response) => {
      const said = program()(index(), request);
      if (said !== undefined && said !== cut) return said;
      sendFile(request, response, { bytes, etag, isCut: said === cut });
      return null;
    });
  storage = await store(
    () => storage.requests.length - 1,
    () => answer,
  );
  elsewhere = await store(
    () => elsewhere.requests.length - 1,
    () => answerElsewhere,
  );
  proxy = () => ({ status: 307, headers: { location: `${storage.origin}/B04.tif?Signature=viaProxy` } });
  assets = (links) => ({ B04: asset(links === 'proxy' ? proxyLink() : signedLink(), 's3://bucket/B04.tif') });
  item = (_, links) => {
    mintedCount += 1;
    const date = new Date(harness.time.clock.now()).toUTCString();
    const feature = { type: 'Feature', id: 'scene', collection: 's2', assets: assets(links) };
    return { headers: { date }, body: feature };
  };
});

afterEach(async () => {
  // I2: the token goes to the catalog alone, and a cookie to nobody.
  for (const { headers } of [...storage.requests, ...elsewhere.requests]) {
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
  }
  const told = JSON.stringify(harness.downloads.transfers());
  const written = filesIn(harness.folder).filter((path) => !path.endsWith('.tif'));
  const kept = written.map((path) => readFileSync(join(harness.folder, path), 'latin1'));
  for (const text of [told, ...logged, ...kept]) {
    expect(text).not.toContain(secretToken);
    expect(text).not.toMatch(/Signature=(?:viaProxy|n\d)/);
    expect(text).not.toContain('AWSSECRET');
  }
  for (const path of harness.files().filter((one) => one.endsWith('.tif')))
    expect(harness.read(path).equals(bytes)).toBe(true);
  await harness.close();
  await Promise.all([api, storage, elsewhere].map((server) => server.close()));
});

const asset = (download: string | null, href: string, more: object = {}) => ({
  ...announceFile(bytes, { download, href }),
  ...more,
});

const signedLink = () => `${storage.origin}/B04.tif?Signature=n${mintedCount}&Expires=${expiry()}`;
const proxyLink = () => `${api.origin}/v1/asset?asset_path=s3%3A%2F%2Fbucket%2FB04.tif`;
const expiry = () => Math.floor(harness.time.clock.now() / 1000) + 12 * 3600;

function open(more: { assets?: string[]; s3Access?: ResolveOptions['s3Access'] } = {}): void {
  const note = (event: string, facts?: object) => void logged.push(`${event} ${JSON.stringify(facts)}`);
  const logger: Logger = { info: note, warn: note, error: note };
  const known = { href: 's3://bucket/B04.tif', sizeBytes: bytes.length, checksum: checksumOf(bytes) };
  const keys = more.assets ?? ['B04'];
  harness = createHarness(Object.fromEntries(keys.map((key) => [key, known])), { logger });
  const { clock } = harness.time;
  const client = createHttpClient({
    credentials: { origin: api.origin, accessToken: () => Promise.resolve(secretToken) },
    clock,
    logger,
    wait: () => Promise.resolve(),
  });
  const resolve = createLinkResolver({
    catalog: catalogOver(client, { origin: api.origin, clock }),
    http: client,
    clock,
    s3: createS3Signer({
      credentials: { get: () => Promise.resolve({ accessKeyId: 'AK', secretAccessKey: 'AWSSECRET' }) },
      env: { AWS_ENDPOINT_URL: storage.origin },
    }),
  });
  harness.resolveLink = (ref, options) => resolve(ref, { s3Access: more.s3Access ?? 'off', ...options });
}

async function bring(mode: 'auto' | 'signed' | 'proxy' = 'auto'): Promise<Transfer | undefined> {
  const [transfer] = await harness.finish(await harness.start(['B04'], mode));
  return transfer;
}

const proxyCalls = () => api.requests.filter(({ target }) => target.startsWith('/v1/asset')).length;

describe('a signed link', () => {
  it('that ended while the connection was cut costs one request more', async () => {
    open();
    answer = (index) => [cut, expired][index];
    expect(await bring()).toMatchObject({ state: 'done', linkKind: 'signed', verification: 'checksum' });
    expect(storage.requests).toHaveLength(3);
    expect(mintedCount).toBe(2);
  });

  it('is renewed before it is used after a long pause, and no refusal is seen', async () => {
    open();
    answer = (index) => [cut][index];
    const downloadId = await harness.start(['B04']);
    await harness.until(downloadId, ({ state }) => state === 'waiting');
    harness.time.advance(14 * 3_600_000);
    await harness.finish(downloadId);
    expect(mintedCount).toBe(2);
    expect(storage.requests).toHaveLength(2);
    expect(storage.requests[1]?.target).toContain('Signature=n2');
  });

  it.each(['InvalidToken', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'RequestTimeTooSkewed'])(
    'whose signer may not any more (%s) is renewed',
    async (code) => {
      open();
      answer = (index) => [cut, denied(code, 'No')][index];
      expect(await bring()).toMatchObject({ state: 'done', linkKind: 'signed' });
      expect(storage.requests).toHaveLength(3);
    },
  );

  it('that is refused for no stated reason is renewed once, then the proxy is tried once', async () => {
    open();
    answer = () => accessDenied;
    const transfer = await bring();
    expect(transfer).toMatchObject({
      state: 'failed',
      error: { code: 'link.refused', details: { status: 403, refusal: 'forbidden' } },
    });
    expect(storage.requests.length).toBeLessThanOrEqual(4);
    expect(proxyCalls()).toBe(1);
  });

  it.each<[string, () => void]>([
    ['has no such file', () => (proxy = () => ({ status: 404 }))],
    ['says nothing of where it is', () => (proxy = () => ({ status: 307 }))],
    ['takes the request for a mistake', () => (proxy = () => ({ status: 400 }))],
    ['lets nobody in', () => (proxy = () => ({ status: 403 }))],
    [
      'has no address',
      () => (assets = (links) => ({ B04: asset(links === 'proxy' ? null : signedLink(), 's3://b/B04.tif') })),
    ],
    [
      'is of an item without the asset',
      () =>
        (assets = (links) => (links === 'proxy' ? {} : { B04: asset(signedLink(), 's3://bucket/B04.tif') })),
    ],
  ])('that is refused says why, and not that the proxy %s', async (_what, spoil) => {
    open();
    spoil();
    answer = () => accessDenied;
    expect(await bring()).toMatchObject({
      state: 'failed',
      error: { code: 'link.refused', details: { status: 403, refusal: 'forbidden' } },
    });
  });

  it('that is refused because a clock is wrong says by how much', async () => {
    open();
    const skewed = denied('RequestTimeTooSkewed', 'The difference is too large');
    answer = () => ({
      ...skewed,
      headers: { date: new Date(harness.time.clock.now() - 1_800_000).toUTCString() },
    });
    expect((await bring('signed'))?.error?.details).toMatchObject({ clockAheadMinutes: 30 });
  });
});

describe('a file that is not there', () => {
  it('is looked for in the item and by the proxy, and then said to be gone', async () => {
    open();
    answer = () => ({ status: 404 });
    expect(await bring()).toMatchObject({ state: 'failed', error: { code: 'link.gone' } });
    // The new link of the same place is not worth a request.
    expect(storage.requests).toHaveLength(2);
    expect(mintedCount).toBe(3);
  });

  it('is fetched from where the item says it is now', async () => {
    open();
    assets = () => ({
      B04: asset(
        mintedCount === 1 ? signedLink() : `${elsewhere.origin}/new.tif?Signature=n2`,
        's3://b/B04.tif',
      ),
    });
    answer = () => ({ status: 410 });
    expect(await bring()).toMatchObject({ state: 'done' });
    expect(elsewhere.requests).toHaveLength(1);
  });

  it('of an item that is gone keeps what came', async () => {
    open();
    answer = (index) => [cut, expired][index];
    const known = item;
    item = (index, links) => (index === 0 ? known(index, links) : { status: 404 });
    expect(await bring()).toMatchObject({ state: 'failed', error: { code: 'stac.item-not-found' } });
    expect(filesIn(harness.destination).some((path) => path.endsWith('.part'))).toBe(true);
  });
});

describe('the proxy', () => {
  it('is called at most once for each time the connection is cut, and alone sees the token', async () => {
    open();
    proxy = (index) => ({
      status: 307,
      headers: {
        location: `${storage.origin}/B04.tif?Signature=viaProxy&Expires=${expiry() - 12 * 3600 + 300}&n=${index}`,
      },
    });
    answer = (index, { target }) => {
      if (index > 0 && target.endsWith('n=0')) return expired;
      return index < 3 ? cut : undefined;
    };
    expect(await bring('proxy')).toMatchObject({ state: 'done', linkKind: 'proxy' });
    expect(proxyCalls()).toBeLessThanOrEqual(4);
    expect(mintedCount).toBe(1);
  });

  it('that wants another login lets all transfers wait, asks once, and all go on after it', async () => {
    const keys = ['B04', 'B05', 'B06', 'B07', 'B08'];
    open({ assets: keys });
    assets = () => Object.fromEntries(keys.map((key) => [key, asset(proxyLink(), `s3://b/${key}.tif`)]));
    proxy = () => ({ status: 401 });
    const downloadId = await harness.start(keys, 'proxy');
    const waiting = () => harness.downloads.transfers().filter(({ state }) => state === 'waiting');
    await poll(() => (waiting().length === keys.length ? true : undefined));
    expect(waiting().map((one) => one.waiting?.error.code)).toEqual(keys.map(() => 'auth.required'));
    expect(proxyCalls()).toBe(1);
    proxy = () => ({ status: 307, headers: { location: `${storage.origin}/f.tif?Signature=viaProxy` } });
    harness.time.advance(61_000);
    harness.downloads.noteSignedIn('another');
    expect(waiting()).toHaveLength(keys.length);
    harness.downloads.noteSignedIn('test');
    const settled = await harness.downloads.waitUntilSettled(downloadId);
    expect(settled.map(({ state }) => state)).toEqual(keys.map(() => 'done'));
  });

  it('takes over in the middle of a file when its bytes are the same, without beginning again', async () => {
    open();
    etag = null;
    const plain = { 'file:checksum': undefined };
    assets = (links) => ({ B04: asset(links === 'proxy' ? proxyLink() : signedLink(), 's3://b/f', plain) });
    harness.item['assets'] = assets('signed');
    proxy = () => ({ status: 307, headers: { location: `${elsewhere.origin}/B04.tif?Signature=viaProxy` } });
    answer = (index) => (index === 0 ? cut : accessDenied);
    expect(await bring()).toMatchObject({ state: 'done', linkKind: 'proxy' });
    // Told apart by 1 MiB before the join and at the middle; what came is not fetched again as a whole.
    expect(elsewhere.requests.map(({ headers }) => headers.range)).toContain('bytes=934464-');
    expect(logged.filter((line) => line.startsWith('transfer.restarted'))).toEqual([]);
  });
});

describe('a redirect', () => {
  it('to another port of the storage, or from the item to another host, never carries the token', async () => {
    open();
    const known = item;
    item = (index, links) =>
      index === 0 ? { status: 307, headers: { location: `${elsewhere.origin}/item` } } : known(index, links);
    answerElsewhere = (_, { target }) => (target === '/item' ? { ...item(1, 'signed') } : undefined);
    answer = () => ({ status: 302, headers: { location: `${elsewhere.origin}/B04.tif?Signature=n9` } });
    expect(await bring('signed')).toMatchObject({ state: 'done' });
    expect(elsewhere.requests.length).toBeGreaterThanOrEqual(2);
  });

  it('to a page to log in waits for a person', async () => {
    open();
    answer = () => ({
      status: 302,
      headers: { location: `${elsewhere.origin}/oauth/authorize?next=B04.tif` },
    });
    const downloadId = await harness.start(['B04'], 'signed');
    const { waiting } = await harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error).toMatchObject({ code: 'auth.required', details: { reason: 'login-page' } });
    expect(elsewhere.requests).toEqual([]);
  });

  it.each(['file:///etc/passwd', 'ftp://h.example/f', 'data:text/plain,x', 'javascript:x'])(
    'to %s is refused',
    async (location) => {
      open();
      answer = () => ({ status: 302, headers: { location } });
      expect(await bring('signed')).toMatchObject({ state: 'failed' });
      expect(storage.requests.length).toBeLessThanOrEqual(4);
    },
  );
});

describe('a file in cloud storage', () => {
  const inS3 = () => ({ B04: asset(null, 's3://scenes/B04.tif') });

  it('without a link of the catalog is never looked for at a guessed address', async () => {
    open();
    assets = inS3;
    expect(await bring()).toMatchObject({
      state: 'failed',
      error: { code: 'link.none', details: { scheme: 's3' } },
    });
    expect(storage.requests).toEqual([]);
  });

  it('comes with the user’s own credentials where that is allowed', async () => {
    open({ s3Access: 'credentials' });
    assets = inS3;
    answer = (index) => [cut][index];
    expect(await bring()).toMatchObject({ state: 'done', linkKind: 'aws', verification: 'checksum' });
    expect(storage.requests[0]?.target).toContain('/scenes/B04.tif?');
  });

  it('is asked for where the storage says that the bucket is', async () => {
    open({ s3Access: 'requester-pays' });
    assets = inS3;
    answer = (_, { target }) =>
      target.includes('eu-north-1')
        ? undefined
        : {
            status: 301,
            headers: { 'x-amz-bucket-region': 'eu-north-1' },
            body: denied('PermanentRedirect', 'x').body,
          };
    expect(await bring()).toMatchObject({ state: 'done', linkKind: 'aws' });
    expect(storage.requests).toHaveLength(2);
    expect(storage.requests[1]?.target).toContain('x-amz-request-payer=requester');
  });
});

describe('the catalog', () => {
  it('that is busy holds up only what needs a new link', async () => {
    open();
    answer = (index) => [expired][index];
    const known = item;
    item = (index, links) =>
      index === 1 ? { status: 429, headers: { 'retry-after': '120' } } : known(index, links);
    const downloadId = await harness.start(['B04'], 'signed');
    const waits = await harness.until(
      downloadId,
      ({ state, waiting }) => state === 'waiting' && waiting?.error.code === 'http.too-many-requests',
    );
    const delayMs = Date.parse(waits.waiting?.resumeAt ?? '') - harness.time.clock.now();
    expect(delayMs).toBeGreaterThan(110_000);
    expect(delayMs).toBeLessThanOrEqual(120_000);
    const [transfer] = await harness.finish(downloadId);
    expect(transfer?.state).toBe('done');
    expect(harness.read(filePath).equals(bytes)).toBe(true);
  });
});
