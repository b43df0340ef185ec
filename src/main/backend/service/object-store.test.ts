import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import { makeItem, startTestService, type TestService } from './testing/test-service.ts';

const bytes = Buffer.from(Array.from({ length: 5000 }, (_, n) => n % 251));
const hugeBytes = 10 * 1024 ** 3;
const lastModified = 'Fri, 02 Jan 2026 03:04:05 GMT';

let service: TestService;
let url: string;
let hugeReads: { start: number; end: number; sentBytes: number; isStopped: boolean }[];

beforeEach(async () => {
  hugeReads = [];
  service = await startTestService(async (library, assets) => {
    const keys = ['visual', 'huge', 'short', 'empty', 'gone'];
    await library.saveCollections([{ id: 'c' }], 1);
    await library.saveItems(
      [
        makeItem('c', 'i', {
          assets: Object.fromEntries(keys.map((key) => [key, { href: `s3://b/${key}.tif` }])),
        }),
      ],
      1,
    );
    const refOf = (assetKey: string) => ({ collectionId: 'c', itemId: 'i', assetKey });
    assets.add(refOf('visual'), bytes, { etag: '"v1"' });
    assets.add(refOf('huge'), Buffer.alloc(0), { sizeBytes: hugeBytes, read: readHuge });
    assets.add(refOf('short'), bytes.subarray(0, 2000), { sizeBytes: 5000 });
    assets.add(refOf('empty'), Buffer.alloc(0));
    assets.add(refOf('gone'), bytes);
  });
  url = await linkTo('visual');
});
afterEach(() => service.stop());

async function* readHuge(range: { start: number; end: number }): AsyncGenerator<Uint8Array> {
  const read = { ...range, sentBytes: 0, isStopped: false };
  hugeReads.push(read);
  try {
    while (read.start + read.sentBytes < range.end) {
      const chunk = Buffer.alloc(Math.min(65536, range.end - range.start - read.sentBytes), 7);
      read.sentBytes += chunk.length;
      yield await Promise.resolve(chunk);
    }
  } finally {
    read.isStopped = true;
  }
}

async function linkTo(assetKey: string): Promise<string> {
  const { json } = await service.ask('/collections/c/items/i');
  const asset = (json['assets'] as Record<string, JsonObject>)[assetKey];
  const alternate = asset?.['alternate'];
  const download = isJsonObject(alternate) ? alternate['download'] : null;
  return isJsonObject(download) ? String(download['href']) : '';
}

async function bodyOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

function withParam(name: string, change: (value: string) => string): string {
  const changed = new URL(url);
  changed.searchParams.set(name, change(changed.searchParams.get(name) ?? ''));
  return changed.href;
}

describe('a file', () => {
  it('is given whole to GET, with what a client needs to go on later', async () => {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/tiff',
      'content-length': '5000',
      'accept-ranges': 'bytes',
      etag: '"v1"',
      'last-modified': lastModified,
    });
    expect(await bodyOf(response)).toEqual(bytes);
  });

  it('is described to HEAD without being sent', async () => {
    const response = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=0-9' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('5000');
    expect((await bodyOf(response)).length).toBe(0);
  });

  it('that is empty is given', async () => {
    const response = await fetch(await linkTo('empty'));
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '0']);
  });

  it('whose bytes end too early is broken off, not ended', async () => {
    const whole = fetch(await linkTo('short')).then((response) => response.arrayBuffer());
    await expect(whole).rejects.toThrow();
  });
});

describe('ranges', () => {
  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=1200-3456', 1200, 3457],
    ['bytes=4990-', 4990, 5000],
    ['bytes=-10', 4990, 5000],
    ['bytes=4000-9999', 4000, 5000],
  ])('%s gives just those bytes', async (range, start, end) => {
    const response = await fetch(url, { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/5000`);
    expect(response.headers.get('content-length')).toBe(String(end - start));
    expect(await bodyOf(response)).toEqual(bytes.subarray(start, end));
  });

  it('that lie outside answer 416 with the size', async () => {
    const response = await fetch(url, { headers: { range: 'bytes=5000-' } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */5000');
    expect(await response.text()).toContain('<Code>InvalidRange</Code>');
  });

  it('that are malformed or several give the whole file', async () => {
    for (const range of ['bytes=x', 'bytes=0-1,4-5']) {
      const response = await fetch(url, { headers: { range } });
      expect([range, response.status, (await bodyOf(response)).length]).toEqual([range, 200, 5000]);
    }
  });

  it('beyond 4 GB are exact', async () => {
    const start = hugeBytes - 10;
    const response = await fetch(await linkTo('huge'), { headers: { range: `bytes=${start}-` } });
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${hugeBytes - 1}/${hugeBytes}`);
    expect((await bodyOf(response)).length).toBe(10);
    expect(hugeReads).toMatchObject([{ start, end: hugeBytes }]);
  });
});

describe('If-Range', () => {
  it.each([
    ['"v1"', 206],
    ['"v2"', 200],
    ['W/"v1"', 200],
    [lastModified, 206],
    ['Fri, 02 Jan 2026 03:04:06 GMT', 200],
    ['Thu, 01 Jan 2026 03:04:05 GMT', 200],
    ['nonsense', 200],
  ])('%s answers %i', async (ifRange, status) => {
    const response = await fetch(url, { headers: { range: 'bytes=0-9', 'if-range': ifRange } });
    expect(response.status).toBe(status);
    expect((await bodyOf(response)).length).toBe(status === 206 ? 10 : 5000);
  });
});

describe('preconditions', () => {
  it.each([
    [{ 'if-none-match': '"v1"' }, 304],
    [{ 'if-none-match': 'W/"v1"' }, 304],
    [{ 'if-none-match': '"v0", "v1"' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"v2"' }, 200],
    [{ 'if-modified-since': lastModified }, 304],
    [{ 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 200],
    [{ 'if-modified-since': lastModified, 'if-none-match': '"v2"' }, 200],
    [{ 'if-match': '"v1"' }, 200],
    [{ 'if-match': '"v2"' }, 412],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 412],
  ])('%o answer %i', async (headers, status) => {
    const response = await fetch(url, { headers: headers as Record<string, string>, cache: 'no-store' });
    expect(response.status).toBe(status);
    expect(response.headers.get('etag')).toBe('"v1"');
    await response.arrayBuffer();
  });
});

describe('a link', () => {
  const errorOf = async (address: string, init: RequestInit = {}) => {
    const response = await fetch(address, init);
    const xml = await response.text();
    expect(response.headers.get('content-type')).toContain('xml');
    const [, code = '', message = ''] = /<Code>(.*)<\/Code><Message>(.*)<\/Message>/.exec(xml) ?? [];
    return { status: response.status, code, message };
  };

  it('works until its expiry and is refused after it', async () => {
    service.clock.nowMs += 12 * 60 * 60 * 1000;
    expect((await fetch(url)).status).toBe(200);
    service.clock.nowMs += 1000;
    expect(await errorOf(url)).toEqual({ status: 403, code: 'AccessDenied', message: 'Request has expired' });
  });

  it('is refused when its expiry, signature or path was changed', async () => {
    const refused = { status: 403, code: 'SignatureDoesNotMatch' };
    expect(await errorOf(withParam('Expires', (value) => String(Number(value) + 1)))).toMatchObject(refused);
    expect(await errorOf(withParam('Signature', (value) => `${value.slice(0, -3)}AA=`))).toMatchObject(
      refused,
    );
    expect(await errorOf(withParam('Signature', () => ''))).toMatchObject(refused);
    expect(await errorOf(withParam('x-amz-security-token', () => 'other'))).toMatchObject(refused);
    expect(await errorOf(url.replace('/visual/', '/huge/'))).toMatchObject(refused);
    expect(await errorOf(withParam('Expires', () => 'soon'))).toMatchObject({
      status: 403,
      code: 'AccessDenied',
    });
  });

  it('without a signature is refused', async () => {
    expect(await errorOf(url.split('?', 1)[0] ?? '')).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(await errorOf(service.storageOrigin)).toMatchObject({ status: 403, code: 'AccessDenied' });
  });

  it('beside an Authorization header is refused as on S3', async () => {
    const { status, code, message } = await errorOf(url, { headers: { authorization: 'Bearer test-token' } });
    expect([status, code]).toEqual([400, 'InvalidArgument']);
    expect(message).toContain('Only one auth mechanism allowed');
  });

  it('to a file that is no longer there answers 404', async () => {
    const gone = await linkTo('gone');
    service.assets.files.delete(JSON.stringify(['c', 'i', 'gone']));
    expect(await errorOf(gone)).toMatchObject({ status: 404, code: 'NoSuchKey' });
  });

  it('takes no other method', async () => {
    expect(await errorOf(url, { method: 'PUT', body: 'x' })).toMatchObject({
      status: 405,
      code: 'MethodNotAllowed',
    });
  });
});

describe('a receiver', () => {
  it('that does not read holds the source back, and one that goes away stops it', async () => {
    const link = await linkTo('huge');
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(link, resolve).on('error', reject).end();
    });
    response.on('error', () => undefined);
    response.pause();
    await settled(() => hugeReads[0]?.sentBytes ?? 0);
    const [read] = hugeReads;
    expect(read?.sentBytes).toBeLessThan(64 * 1024 ** 2);
    expect(read?.isStopped).toBe(false);
    response.destroy();
    await expect.poll(() => hugeReads[0]?.isStopped).toBe(true);
  });
});

// Resolves when a number stays the same: what the sockets' buffers take is up to the system.
async function settled(read: () => number): Promise<void> {
  let earlier = -1;
  await expect
    .poll(
      () => {
        const isSame = earlier === read() && earlier > 0;
        earlier = read();
        return isSame;
      },
      { interval: 50 },
    )
    .toBe(true);
}
