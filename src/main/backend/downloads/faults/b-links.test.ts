import { describe, expect, it } from 'vitest';
import type { Fault, SeenRequest } from '../testing/fault.ts';
import { checksumOf, poll } from '../testing/download-harness.ts';
import { accountToken, expiredXml } from '../testing/fault-catalog.ts';
import { makeTiff, trialPath, useFaultTrial } from '../testing/fault-trial.ts';

const bytes = makeTiff(1_200_000);
const trial = useFaultTrial(bytes);
const cutAt = 700_000;
const cut: Fault = { cutAfterBytes: cutAt };
const resumed = `bytes=${cutAt - 65_536}-`;
const hourMs = 3_600_000;
const denied: Fault = {
  status: 403,
  body: '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
};
const invalidToken: Fault = { status: 403, body: '<Error><Code>InvalidToken</Code></Error>' };

const itemRequests = () => trial.api.requests.filter(({ path }) => path.startsWith('/v1/stac/'));
const proxyRequests = () => trial.api.requests.filter(({ path }) => path === '/v1/asset');

async function finish(links: 'auto' | 'signed' | 'proxy' = 'auto') {
  const [transfer] = await trial.harness.finish(await trial.harness.start(['B04'], links));
  return transfer;
}

describe('links, authority and the other way', () => {
  it('B1 lets bytes flow on when the link they came by has expired', async () => {
    trial.open();
    trial.storage.script = () => ({ stallAfterBytes: cutAt });
    const downloadId = await trial.harness.start(['B04']);
    await trial.harness.until(downloadId, ({ receivedBytes }) => receivedBytes === cutAt);
    trial.harness.time.setClock(trial.harness.time.clock.now() + 13 * hourMs);
    trial.storage.script = () => undefined;
    expect(trial.harness.downloads.transfers()[0]?.state).toBe('downloading');
    trial.harness.time.advance(40_000);
    expect((await trial.harness.finish(downloadId))[0]?.state).toBe('done');
    // The next link was asked for before the storage could refuse the old one.
    expect(trial.catalog.signedCount).toBe(2);
    expect(trial.storage.requests).toHaveLength(2);
  });

  it('B2 goes on with another link where the storage refuses an expired one', async () => {
    trial.open();
    expect((await trial.bring(cut, { status: 403, body: expiredXml })).state).toBe('done');
    expect(trial.ranges()).toEqual([null, resumed, resumed]);
    expect(trial.catalog.signedCount).toBe(2);
    trial.bounds.requests = 5;
  });

  it('B3 asks for a link before it uses one that expired in a long pause', async () => {
    const { downloads, time, start, until, finish: end } = trial.open();
    trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: cutAt } : undefined);
    const downloadId = await start(['B04']);
    const { transferId } = await until(downloadId, ({ receivedBytes }) => receivedBytes === cutAt);
    await downloads.pause(transferId);
    time.advance(14 * hourMs);
    await downloads.resume(transferId);
    expect((await end(downloadId))[0]?.state).toBe('done');
    expect(trial.ranges()).toEqual([null, resumed]);
  });

  it('B5 goes to the proxy when the catalog gives links that have expired', async () => {
    trial.open();
    trial.bounds.requests = 8;
    const signed = trial.catalog;
    trial.storage.script = () => ({ status: 403, body: expiredXml });
    const transfer = await finish();
    expect(transfer).toMatchObject({ state: 'done', linkKind: 'proxy' });
    expect(signed.signedCount).toBeLessThanOrEqual(2);
  });

  it('B6 waits for the catalog as long as it asks, while bytes flow on', async () => {
    const { time, start, until } = trial.open();
    trial.api.script = (index) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '120' } } : undefined;
    const downloadId = await start(['B04']);
    let waitedMs = 0;
    for (; trial.storage.requests.length === 0 && waitedMs < 600_000; waitedMs += 1000) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      time.advance(1000);
    }
    expect(waitedMs).toBeGreaterThanOrEqual(119_000);
    await until(downloadId, ({ state }) => state === 'done');
    expect(trial.api.requests).toHaveLength(2);
  });

  it('B6 lets what runs go on, over a new connection as well, while the catalog wants a pause', async () => {
    trial.openMany(2);
    const { time, start, until } = trial.harness;
    trial.storage.script = (index) => (index === 0 ? { stallAfterBytes: cutAt } : undefined);
    const running = await start(['B0'], 'signed');
    await until(running, ({ receivedBytes }) => receivedBytes === cutAt);
    trial.api.script = (index) =>
      index === 1 ? { status: 429, headers: { 'retry-after': '120' } } : undefined;
    const held = await start(['B1'], 'proxy');
    await poll(() => (trial.api.requests.length === 2 ? true : undefined));
    for (let waitedMs = 0; waitedMs < 100_000; waitedMs += 5000) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      time.advance(5000);
    }
    await until(running, ({ state }) => state === 'done');
    expect(trial.api.requests).toHaveLength(2);
    await until(held, ({ state }) => state !== 'done');
    time.advance(30_000);
    await until(held, ({ state }) => state === 'done');
  });

  it('B7 refuses clearly, after few requests, what is refused without a reason', async () => {
    trial.open();
    trial.storage.script = () => denied;
    trial.mirror.script = () => denied;
    trial.bounds.requests = 9;
    expect(await finish()).toMatchObject({
      state: 'failed',
      error: { code: 'link.refused', details: { status: 403 } },
    });
    expect(trial.storage.requests.length + trial.mirror.requests.length).toBeLessThanOrEqual(4);
  });

  it('B9 goes on through the proxy, where it was, when the storage is down', async () => {
    const { start, finish: end, time, until } = trial.open();
    trial.storage.script = () => cut;
    trial.bounds.requests = 30;
    const downloadId = await start(['B04']);
    await until(downloadId, ({ state }) => state === 'waiting');
    await trial.storage.goDown();
    time.advance(60_000);
    expect((await end(downloadId))[0]).toMatchObject({ state: 'done', linkKind: 'proxy' });
    expect(trial.ranges(trial.mirror)).toEqual([resumed]);
  });

  it('B11 refuses to mix files of two sizes, and names both', async () => {
    trial.open({ checksum: null });
    trial.mirror.file = makeTiff(900_000, 4);
    trial.storage.script = (index) => (index === 0 ? cut : denied);
    trial.bounds.requests = 12;
    trial.bounds.wholes = 3;
    expect(await finish()).toMatchObject({
      state: 'failed',
      error: {
        code: 'transfer.size-mismatch',
        details: { expectedBytes: bytes.length, actualBytes: 900_000 },
      },
    });
  });

  it('B12 waits for a login when the token is refused for good, and then goes on', async () => {
    const { downloads, start, until, finish: end, time } = trial.open();
    trial.mirror.script = (index) => (index === 0 ? cut : undefined);
    const refuse = (seen: SeenRequest) => (seen.path === '/v1/asset' ? { status: 401 } : undefined);
    trial.bounds.requests = 14;
    const downloadId = await start(['B04'], 'proxy');
    await until(downloadId, ({ state }) => state === 'waiting');
    trial.api.script = (_, seen) => refuse(seen);
    // Past the time that the last link is kept for.
    time.setClock(time.clock.now() + 13 * hourMs);
    time.advance(60_000);
    const { waiting } = await until(downloadId, ({ waiting: why }) => why?.error.code === 'auth.required');
    expect(waiting?.error.code).toBe('auth.required');
    trial.api.script = () => undefined;
    time.advance(120_000);
    downloads.noteSignedIn('test');
    expect((await end(downloadId))[0]?.state).toBe('done');
    expect(trial.ranges(trial.mirror)).toEqual([null, resumed]);
  });

  it('B13 goes on with another link when the credentials behind one were revoked', async () => {
    trial.open();
    trial.bounds.requests = 5;
    expect((await trial.bring(cut, invalidToken)).state).toBe('done');
    expect(trial.ranges()).toEqual([null, resumed, resumed]);
  });

  it('B14 says that there is no way to an s3 file, and tries none', async () => {
    trial.open({ members: { alternate: {} } });
    expect(await finish()).toMatchObject({ state: 'failed', error: { code: 'link.none' } });
    expect(trial.storage.requests).toEqual([]);
  });

  it('B15 begins again when the catalog announces another file', async () => {
    const next = makeTiff(1_200_000, 9);
    trial.open();
    trial.bounds.sources = [next];
    trial.bounds.wholes = 3;
    trial.bounds.requests = 8;
    trial.storage.script = (index) => {
      if (index > 0) return undefined;
      const [asset] = Object.values(trial.catalog.assets);
      trial.storage.file = next;
      trial.storage.etag = '"v2"';
      if (asset) trial.catalog.assets = { B04: { ...asset, checksum: checksumOf(next) } };
      return { ...cut, file: bytes, etag: '"v1"' };
    };
    expect(await finish()).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(trial.harness.read(trialPath).equals(next)).toBe(true);
  });

  it('B17 calls the proxy anew for each short-lived link, with the token there alone', async () => {
    const { start, finish: end } = trial.open();
    trial.catalog.lifeMs = 300_000;
    trial.mirror.script = (index) => (index < 3 ? { cutAfterBytes: 300_000 } : undefined);
    trial.bounds.requests = 14;
    const downloadId = await start(['B04'], 'proxy');
    for (let cuts = 1; cuts <= 3; cuts += 1) {
      await trial.harness.until(downloadId, ({ state }) => state === 'waiting');
      trial.harness.time.advance(400_000);
    }
    expect((await end(downloadId))[0]?.state).toBe('done');
    expect(trial.catalog.proxiedCount).toBeLessThanOrEqual(4);
    for (const { headers } of proxyRequests()) expect(headers.authorization).toBe(`Bearer ${accountToken}`);
  });

  it('B19 renews the token once when it ends between two calls of the proxy', async () => {
    const renewed: string[] = [];
    const next = `${accountToken}-next`;
    let current = accountToken;
    trial.tokens = {
      current: () => current,
      renew(refused) {
        renewed.push(refused);
        return Promise.resolve((current = next));
      },
    };
    const { start, until, finish: end, time } = trial.open();
    trial.catalog.lifeMs = 300_000;
    trial.mirror.script = (index) => (index === 0 ? cut : undefined);
    trial.bounds.requests = 8;
    const downloadId = await start(['B04'], 'proxy');
    await until(downloadId, ({ state }) => state === 'waiting');
    trial.catalog.token = next;
    time.advance(400_000);
    expect((await end(downloadId))[0]).toMatchObject({ state: 'done', verification: 'checksum' });
    expect(renewed).toEqual([accountToken]);
    expect(trial.ranges(trial.mirror)).toEqual([null, resumed]);
  });

  it('B20 leaves a folder behind, and goes on with the rest of the order', async () => {
    const folder = { href: 's3://bucket/folder/', mediaType: 'inode/directory' };
    trial.open();
    trial.harness.item.assets = {
      ...(trial.harness.item.assets as object),
      all: { href: folder.href, type: folder.mediaType },
    };
    trial.bounds.transferCount = 2;
    const transfers = await trial.harness.finish(await trial.harness.start(['B04', 'all']));
    expect(transfers.map(({ state }) => state)).toEqual(['done', 'failed']);
    expect(transfers[1]?.error?.code).toBe('link.none');
    expect(itemRequests()).toHaveLength(1);
  });
});
