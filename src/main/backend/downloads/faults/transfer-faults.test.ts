import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import type { LinkedAsset } from '../../links/link.ts';
import { checksumOf, linkTo, type TestAsset } from '../testing/download-harness.ts';
import type { Fault, SeenRequest } from '../testing/fault.ts';
import { startFaultServer, type FaultServer } from '../testing/fault-server.ts';
import { makeTiff } from '../testing/fault-trial.ts';
import { useDownloads } from '../testing/use-downloads.ts';

const bytes = makeTiff(3_000_000, 1);
const newBytes = makeTiff(3_000_000, 2);
const filePath = 's2/2024/scene/B04.tif';
const s3Expired =
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
const test = useDownloads(bytes);

afterEach(() => {
  for (const { headers } of test.server.requests) expect(headers['accept-encoding']).toBe('identity');
  // Under a final name there is the file or nothing.
  const published = test.harness.files().filter((path) => path.endsWith('.tif'));
  for (const path of published) expect(test.harness.read(path).equals(test.server.file)).toBe(true);
});

function open(changes: Partial<TestAsset> = {}): void {
  test.open({ B04: test.asset('B04.tif', changes) });
}

async function bring(...faults: (Fault | undefined)[]): Promise<Transfer | undefined> {
  test.server.script = (index) => faults[index];
  const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
  return transfer;
}

const ranges = () => test.server.requests.map(({ headers }) => headers.range ?? null);
const cut = (cutAfterBytes: number): Fault => ({ cutAfterBytes });

describe('a connection that breaks off', () => {
  it('says that it waits, why, and until when', async () => {
    open();
    test.server.script = () => cut(1000);
    const downloadId = await test.harness.start(['B04']);
    const { waiting } = await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error.code).toBe('network.offline');
    expect(Date.parse(waiting?.resumeAt ?? '')).toBeGreaterThan(test.harness.time.clock.now());
  });

  it('tries again within the hour when the server is not there at all, and the network is', async () => {
    open({ href: 'http://127.0.0.1:9/B04.tif' });
    const downloadId = await test.harness.start(['B04']);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const { waiting } = await test.harness.until(downloadId, ({ state }) => state === 'waiting');
      expect(waiting?.error.code).toBe('network.offline');
      const delayMs = Date.parse(waiting?.resumeAt ?? '') - test.harness.time.clock.now();
      expect(delayMs).toBeGreaterThan(0);
      expect(delayMs).toBeLessThanOrEqual(3_600_000);
      test.harness.time.advance(delayMs);
    }
  });

  it('forgets stated times when the clock is put back a day', async () => {
    open();
    test.server.script = (index) =>
      index === 0 ? { status: 503, headers: { 'retry-after': '60' } } : undefined;
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    test.harness.time.setClock(test.harness.time.clock.now() - 86_400_000);
    test.harness.time.advance(60_000);
    await test.harness.until(downloadId, ({ state }) => state === 'done');
  });
});

describe('an answer to a range', () => {
  it('is compared and skipped when it is the whole file', async () => {
    open();
    const transfer = await bring(cut(1_000_000), { ignoresRange: true }, { ignoresRange: true });
    expect(transfer?.state).toBe('done');
    expect(ranges()).toEqual([null, 'bytes=934464-', 'bytes=934464-']);
    // A server that takes If-Range amiss is asked once more without it.
    expect(test.server.requests.map(({ headers }) => headers['if-range'] ?? null)).toEqual([
      null,
      '"v1"',
      null,
    ]);
  });

  it('may be shorter than asked for', async () => {
    open();
    const transfer = await bring(cut(1_000_000), { mostBytes: 500_000 }, { mostBytes: 500_000 });
    expect(transfer?.state).toBe('done');
    expect(test.server.requests).toHaveLength(4);
  });

  it.each([
    ['a checksum', {}],
    ['an ETag', { checksum: null }],
  ])(
    'goes on where it was, however often the line puts words of its own at the end: by %s',
    async (_, known) => {
      open(known);
      const garbage = Buffer.from('<?xml version="1.0"?><Error><Code>UpstreamGone</Code></Error>');
      const faults = Array.from({ length: 12 }, () => ({ cutAfterBytes: 300_000, garbage }));
      expect(await bring(...faults)).toMatchObject({ state: 'done' });
      expect(test.harness.read(filePath).equals(bytes)).toBe(true);
      expect(ranges().filter((range) => range === null)).toHaveLength(1);
    },
  );

  it('brings nothing new for ever from a server that gives only the overlap', async () => {
    open();
    const transfer = await bring(cut(1_000_000), { mostBytes: 4096 }, { mostBytes: 4096 });
    expect(transfer?.state).toBe('done');
  });

  it('is compared byte for byte where there is no validator', async () => {
    test.server.etag = null;
    open({ checksum: null });
    test.server.script = (index) => (index === 0 ? { cutAfterBytes: 1_000_000, file: newBytes } : undefined);
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer?.state).toBe('done');
    expect(test.server.requests[1]?.headers['if-range']).toBeUndefined();
    expect(test.harness.read(filePath).equals(bytes)).toBe(true);
  });

  it('ends a file of unknown length where the body ends', async () => {
    open({ sizeBytes: null, checksum: null });
    expect(await bring({ lengthBy: 'chunks' })).toMatchObject({ state: 'done', verification: 'none' });
  });
});

describe('wrong content', () => {
  const page = '<!doctype html><title>Sign in</title>';
  it.each([
    ['says so', { body: page, headers: { 'content-type': 'text/html' } }],
    ['claims to be a picture', { body: page, headers: { 'content-type': 'image/tiff' } }],
    ['is an XML error', { body: s3Expired, headers: { 'content-type': 'application/xml' } }],
  ])('never publishes a page in place of a picture that %s', async (_, fault) => {
    open({ mediaType: 'image/tiff; application=geotiff', sizeBytes: null, checksum: null });
    test.server.script = () => fault;
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'failed', error: { code: 'transfer.wrong-content' } });
    expect(test.harness.files().filter((path) => path.endsWith('.tif'))).toEqual([]);
    expect(test.server.requests.length).toBeLessThanOrEqual(4);
  });

  it.each([
    ['is compressed', { body: 'x', headers: { 'content-encoding': 'gzip' } }, 'transfer.encoded-response'],
    ['is empty', { body: '' }, 'http.unexpected-status'],
    ['is none', { status: 204 }, 'http.unexpected-status'],
    ['leads nowhere', { status: 302 }, 'http.unexpected-status'],
  ])('gives up an answer that %s after a few requests', async (_, fault, code) => {
    open({ mediaType: 'image/tiff', sizeBytes: null, checksum: null });
    test.server.script = () => fault;
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'failed', error: { code } });
    expect(test.server.requests.length).toBeLessThanOrEqual(5);
  });

  it('waits for the network when that shows its own page in place of all files', async () => {
    const other = await startFaultServer(bytes);
    try {
      open();
      const page = { body: '<html>Welcome to our hotel</html>', headers: { 'content-type': 'text/html' } };
      test.server.script = (index) => (index === 0 ? { cutAfterBytes: 1_000_000 } : page);
      other.script = () => page;
      test.harness.resolveLink = (_, { refused }) => {
        if (refused?.has('proxy')) throw new AppError('link.none', 'No way left');
        const linked = linkTo(
          { B04: { href: `${test.server.origin}/B04.tif`, sizeBytes: bytes.length } },
          'B04',
        );
        if (refused?.has('signed'))
          linked.link = { url: `${other.origin}/B04.tif`, kind: 'proxy', expiresAtMs: null };
        return Promise.resolve(linked);
      };
      const downloadId = await test.harness.start(['B04']);
      const isAtPage = ({ waiting }: Transfer) => waiting?.error.code === 'network.sign-in';
      const seen = await (async () => {
        for (;;) {
          const found = test.harness.downloads.transfers().find(isAtPage);
          if (found) return found;
          test.harness.time.advance(1000);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      expect(seen).toMatchObject({ state: 'waiting' });
      expect(seen.receivedBytes).toBe(1_000_000);
      test.server.script = () => undefined;
      expect((await test.harness.finish(downloadId))[0]).toMatchObject({ state: 'done' });
    } finally {
      await other.close();
    }
  });

  it('waits for the network when the catalog shows a page too', async () => {
    open();
    const page = { body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } };
    test.server.script = () => page;
    let isAway = false;
    const usual = test.harness.resolveLink;
    test.harness.resolveLink = (asset, wish) => {
      isAway ||= wish.isRenewal === true;
      return isAway ? Promise.reject(new AppError('stac.invalid-response', 'A page')) : usual(asset, wish);
    };
    const downloadId = await test.harness.start(['B04']);
    const { waiting } = await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting?.error.code).toBe('network.sign-in');
    test.harness.resolveLink = usual;
    test.server.script = () => undefined;
    expect((await test.harness.finish(downloadId))[0]?.state).toBe('done');
  });
});

describe('links', () => {
  const viaKind = (kind: LinkedAsset['link']['kind'], query: string): LinkedAsset => ({
    link: { url: `${test.server.origin}/B04.tif?${query}`, kind, expiresAtMs: null },
    href: `${test.server.origin}/B04.tif`,
    mediaType: 'application/octet-stream',
    sizeBytes: bytes.length,
    checksum: checksumOf(bytes),
  });

  it('give way to the proxy when signed ones are refused for good', async () => {
    open();
    test.harness.resolveLink = (_, { refused }) =>
      Promise.resolve(refused?.has('signed') ? viaKind('proxy', 'b') : viaKind('signed', 'a'));
    test.server.script = (_, { target }) =>
      target.endsWith('a') ? { status: 403, body: s3Expired } : undefined;
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', linkKind: 'proxy' });
    expect(test.server.requests).toHaveLength(3);
  });

  it('give way to the proxy when the storage can not be reached', async () => {
    open();
    test.harness.resolveLink = (_, { refused }) => {
      const linked = viaKind(refused?.has('signed') ? 'proxy' : 'signed', 'a');
      if (linked.link.kind === 'signed') linked.link.url = 'http://127.0.0.1:9/B04.tif';
      return Promise.resolve(linked);
    };
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer).toMatchObject({ state: 'done', linkKind: 'proxy' });
  });

  it('end in a clear refusal after few requests', async () => {
    open();
    test.harness.resolveLink = (_, { refused }) => {
      if (refused?.has('proxy')) throw new AppError('link.none', 'No way left');
      return Promise.resolve(refused?.has('signed') ? viaKind('proxy', 'b') : viaKind('signed', 'a'));
    };
    test.server.script = () => ({ status: 403, body: s3Expired });
    const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
    expect(transfer?.error).toMatchObject({ code: 'link.refused', details: { status: 403 } });
    expect(test.server.requests.length).toBeLessThanOrEqual(4);
  });

  it.each([
    ['auth.forbidden', 'failed'],
    ['stac.item-not-found', 'failed'],
    ['link.none', 'failed'],
  ] as const)('that can not be had (%s) end the transfer', async (code, state) => {
    open();
    test.harness.resolveLink = () => Promise.reject(new AppError(code, 'No link'));
    expect(await bring()).toMatchObject({ state, error: { code } });
    expect(test.server.requests).toEqual([]);
  });

  /** The signed link leads to another server, which breaks off and then refuses. */
  function beginAt(other: FaultServer): void {
    open({ checksum: null });
    test.harness.resolveLink = (ref, { refused }) => {
      const linked = { ...viaKind(refused?.has('signed') ? 'proxy' : 'signed', 'a'), checksum: null };
      if (!refused?.has('signed')) linked.link.url = `${other.origin}/B04.tif`;
      return Promise.resolve(linked);
    };
    other.etag = '"other"';
    other.script = (index) => (index === 0 ? { cutAfterBytes: 1_000_000 } : { status: 403 });
  }

  it('give up another origin that falls silent while it is compared, and compare it again', async () => {
    const other = await startFaultServer(bytes);
    try {
      beginAt(other);
      const isComparing = ({ headers }: SeenRequest) => /^bytes=\d+-\d+$/.test(headers.range ?? '');
      const compared = () => test.server.requests.filter(isComparing).length;
      test.server.script = (_, request) =>
        isComparing(request) && compared() === 1 ? { stallAfterBytes: 1000 } : undefined;
      const downloadId = await test.harness.start(['B04']);
      await test.harness.until(downloadId, ({ waiting }) => {
        if (waiting !== null || compared() === 1) test.harness.time.advance(5000);
        return waiting?.error.code === 'network.timeout';
      });
      const [transfer] = await test.harness.finish(downloadId);
      expect(transfer).toMatchObject({ state: 'done', linkKind: 'proxy' });
      expect(test.harness.read(filePath).equals(bytes)).toBe(true);
    } finally {
      await other.close();
    }
  });

  it('go on at another origin only with proof that it is the same object', async () => {
    // Alike where the two meet, so that no overlap tells them apart.
    const altered = Buffer.from(bytes);
    altered[500] = (altered[500] ?? 0) ^ 1;
    const other = await startFaultServer(altered);
    try {
      beginAt(other);
      const [transfer] = await test.harness.finish(await test.harness.start(['B04']));
      expect(transfer).toMatchObject({ state: 'done', linkKind: 'proxy' });
      expect(test.harness.read(filePath).equals(bytes)).toBe(true);
    } finally {
      await other.close();
    }
  });

  it('are followed through redirects by hand', async () => {
    open();
    const location = `${test.server.origin}/elsewhere`;
    expect((await bring({ status: 302, headers: { location } }))?.state).toBe('done');
    expect(test.server.requests.map(({ target }) => target)[1]).toBe('/elsewhere');
  });
});

describe('a server that asks to wait', () => {
  it('is given the time it asks for, by its own clock', async () => {
    open();
    const headers = {
      date: 'Mon, 01 Jan 2024 00:00:00 GMT',
      'retry-after': 'Mon, 01 Jan 2024 00:02:00 GMT',
    };
    test.server.script = (index) => (index === 0 ? { status: 503, headers } : undefined);
    const downloadId = await test.harness.start(['B04']);
    const { waiting } = await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    expect(waiting).toMatchObject({
      error: { code: 'http.too-many-requests' },
      resumeAt: new Date(test.harness.time.clock.now() + 120_000).toISOString(),
    });
    test.harness.time.advance(119_000);
    expect(test.harness.downloads.transfers()[0]?.state).toBe('waiting');
    test.harness.time.advance(1000);
    await test.harness.until(downloadId, ({ state }) => state === 'done');
    expect(test.server.requests).toHaveLength(2);
  });

  it('is left alone by all transfers for that time, after a restart too', async () => {
    open();
    test.server.script = (index) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '90' } } : undefined;
    const downloadId = await test.harness.start(['B04']);
    await test.harness.until(downloadId, ({ state }) => state === 'waiting');
    await test.harness.restart();
    test.harness.time.advance(80_000);
    expect(test.harness.downloads.transfers()[0]?.state).toBe('waiting');
    test.harness.time.advance(20_000);
    await test.harness.until(downloadId, ({ state }) => state === 'done');
  });
});
