import { describe, expect, it } from 'vitest';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { Fault, SeenRequest } from '../testing/fault.ts';
import type { FaultServer } from '../testing/fault-server.ts';
import { linkSignature } from '../testing/fault-catalog.ts';
import { makeTiff, useFaultTrial } from '../testing/fault-trial.ts';

// What a proxy may say that has said something else a moment before, in the middle of a file.

const bytes = makeTiff(1_200_000);
const trial = useFaultTrial(bytes);
const cutAt = 700_000;
const cut: Fault = { cutAfterBytes: cutAt };
const resumed = `bytes=${cutAt - 65_536}-`;
const slowly = { bytesPerSecond: 200_000 };
const page: Fault = {
  body: '<!doctype html><title>Sign in</title>',
  headers: { 'content-type': 'text/html' },
};
// The first link has less than five minutes left then.
const pauseMs = 5 * 60_000;

type Say = (call: number, seen: SeenRequest) => Fault | undefined;

/** Where the proxy may lead: the file of a path, at a storage. */
function leadTo(store: FaultServer, path = '/B04.tif'): Fault {
  const expires = Math.floor(trial.catalog.now() / 1000) + 3600;
  const location = `${store.origin}${path}?Signature=${linkSignature}&Expires=${expires}`;
  return { status: 307, headers: { location } };
}

/**
 * Brings a file by the proxy's links, of which the first is cut in the middle and has ended when it is wanted again.
 * Calls of the proxy count from 0; the one with the first link is not among them.
 */
async function bringAfterCut(say: Say, known: Parameters<typeof trial.open>[0] = {}): Promise<Transfer> {
  const { start, until, time, finish } = trial.open(known);
  trial.catalog.lifeMs = pauseMs + 60_000;
  trial.mirror.script = (index) => (index === 0 ? cut : undefined);
  Object.assign(trial.bounds, { requests: 12, wholes: 2 });
  const downloadId = await start(['B04'], 'proxy');
  await until(downloadId, ({ state }) => state === 'waiting');
  let calls = 0;
  trial.api.script = (_, seen) => (seen.path === '/v1/asset' ? say(calls++, seen) : undefined);
  time.advance(pauseMs);
  const [transfer] = await finish(downloadId);
  if (transfer === undefined) throw new Error('The transfer is gone');
  return transfer;
}

const done = { state: 'done', verification: 'checksum', linkKind: 'proxy' };

describe('a proxy that leads', () => {
  it('to another storage has the file go on there, where it was', async () => {
    expect(await bringAfterCut(() => leadTo(trial.storage))).toMatchObject(done);
    expect(trial.ranges(trial.mirror)).toEqual([null]);
    expect(trial.ranges()).toEqual([resumed]);
  });

  it('to another storage, whose copy has another ETag and no checksum is known, has both compared', async () => {
    trial.storage.etag = '"copy"';
    const transfer = await bringAfterCut(() => leadTo(trial.storage), { checksum: null });
    expect(transfer).toMatchObject({ state: 'done', verification: 'size-only' });
    expect(trial.ranges().at(-1)).toBe(resumed);
  });

  it('once to another file of the same length has none of that under the name', async () => {
    trial.storage.file = makeTiff(bytes.length, 7);
    trial.storage.etag = '"other"';
    const transfer = await bringAfterCut((call) => (call === 0 ? leadTo(trial.storage) : undefined));
    trial.bounds.wholes = 4;
    expect(transfer).toMatchObject(done);
  });

  it('to another file of the same length, of which no checksum is known, has one or the other whole', async () => {
    const other = makeTiff(bytes.length, 7);
    trial.storage.file = other;
    trial.storage.etag = '"other"';
    const transfer = await bringAfterCut(() => leadTo(trial.storage), { checksum: null });
    Object.assign(trial.bounds, { wholes: 4, sources: [other] });
    expect(transfer).toMatchObject({ state: 'done', verification: 'size-only' });
  });

  it('to a file of another length is told so, and what came is kept', async () => {
    trial.storage.file = makeTiff(900_000, 7);
    trial.storage.etag = '"other"';
    const transfer = await bringAfterCut(() => leadTo(trial.storage));
    const details = { expectedBytes: bytes.length, actualBytes: 900_000 };
    expect(transfer).toMatchObject({
      state: 'failed',
      receivedBytes: cutAt,
      error: { code: 'transfer.size-mismatch', details },
    });
  });

  it('once to a page is asked again', async () => {
    trial.storage.script = () => page;
    expect(await bringAfterCut((call) => (call === 0 ? leadTo(trial.storage) : undefined))).toMatchObject(
      done,
    );
    expect(trial.ranges(trial.mirror)).toEqual([null, resumed]);
  });

  it('to a page always is believed, and what came is kept', async () => {
    trial.storage.script = () => page;
    const transfer = await bringAfterCut(() => leadTo(trial.storage));
    expect(transfer).toMatchObject({
      state: 'failed',
      receivedBytes: cutAt,
      error: { code: 'transfer.wrong-content' },
    });
  });

  it('round in circles, over two storages by turns, is not followed for ever', async () => {
    trial.storage.script = () => leadTo(trial.mirror, '/round.tif');
    const transfer = await bringAfterCut(() => {
      trial.mirror.script = () => leadTo(trial.storage, '/round.tif');
      return leadTo(trial.storage);
    });
    trial.bounds.requests = 18;
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'http.unexpected-status' } });
  });

  it('to itself a few times gets there', async () => {
    const say: Say = (call, { target }) =>
      call < 2 ? { status: 307, headers: { location: target } } : undefined;
    expect(await bringAfterCut(say)).toMatchObject(done);
  });

  it('to itself always is not followed for ever', async () => {
    const transfer = await bringAfterCut((_, { target }) => ({
      status: 307,
      headers: { location: target },
    }));
    // GET item, the first link and its file; then three tries of five redirects each.
    trial.bounds.requests = 18;
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'link.refused' } });
  });
});

describe('a proxy that answers', () => {
  it.each<[what: string, fault: () => Fault, leastMs: number]>([
    ['429, and for how long', () => ({ status: 429, headers: { 'retry-after': '120' } }), 120_000],
    ['429', () => ({ status: 429 }), 0],
    ['503', () => ({ status: 503 }), 0],
    ['500', () => ({ status: 500 }), 0],
    ['that it leads nowhere', () => ({ status: 307 }), 0],
    ['nothing', () => ({ status: 204, body: '' }), 0],
    ['the bytes themselves', () => ({ body: bytes, ...slowly }), 0],
    ['that it is forbidden', () => ({ status: 403 }), 0],
    ['that there is no such file', () => ({ status: 404 }), 0],
    ['that the file is gone', () => ({ status: 410 }), 0],
  ])('%s once is asked again', async (_, fault, leastMs) => {
    const transfer = await bringAfterCut((call) => (call === 0 ? fault() : undefined));
    expect(transfer).toMatchObject(done);
    expect(trial.ranges(trial.mirror)).toEqual([null, resumed]);
    const waitedMs = trial.harness.time.timers.elapsedMs() - pauseMs;
    expect(waitedMs).toBeGreaterThanOrEqual(leastMs);
    expect(waitedMs).toBeLessThan(leastMs + 60_000);
  });

  it.each<[what: string, fault: () => Fault, code: string]>([
    ['the bytes themselves', () => ({ body: bytes, ...slowly }), 'link.refused'],
    ['that it is forbidden', () => ({ status: 403 }), 'auth.forbidden'],
    ['that there is no such file', () => ({ status: 404 }), 'stac.asset-not-found'],
  ])('%s always is believed, and what came is kept', async (_, fault, code) => {
    const transfer = await bringAfterCut(fault);
    expect(transfer).toMatchObject({ state: 'failed', receivedBytes: cutAt, error: { code } });
    expect(transfer.error?.retryable).toBe(false);
  });
});
