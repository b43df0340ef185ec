import { describe, expect, it } from 'vitest';
import { failureOf } from '../http/testing/failure-of.ts';
import type { Reply } from '../http/testing/recording-server.ts';
import { serve } from '../http/testing/serve.ts';
import { asset, createWorld } from './testing/link-world.ts';

const ref = { collectionId: 'c', itemId: 'i', assetKey: 'visual' };
const other = { ...ref, assetKey: 'other' };

describe('auto', () => {
  it('takes the signed link, byte for byte, with what the catalog says about the file', async () => {
    const world = await createWorld();
    const linked = await world.resolve(ref, { mode: 'auto' });
    expect(linked).toEqual({
      link: {
        url: `${world.storage.origin}/f.tif?Signature=1%3D&Expires=${world.serverMs / 1000 + 12 * 3600}`,
        kind: 'signed',
        expiresAtMs: world.serverMs + 12 * 3_600_000,
      },
      href: 's3://bucket/f.tif',
      mediaType: 'image/tiff',
      sizeBytes: 7,
      checksum: '1220ab',
    });
    expect(world.catalog.requests[0]?.headers).toMatchObject({ 'x-signed-asset-urls': 'true' });
    expect(world.catalog.requests[0]?.headers['x-proxy-asset-urls']).toBeUndefined();
  });

  it('goes over to the proxy when signed links were refused', async () => {
    const world = await createWorld();
    const { link } = await world.resolve(ref, { mode: 'auto', refused: new Set(['signed']) });
    expect(link).toEqual({
      url: `${world.storage.origin}/p?Signature=p%3D&Expires=1900000000`,
      kind: 'proxy',
      expiresAtMs: 1_900_000_000_000,
    });
  });

  it('goes over to the proxy when the service signs nothing', async () => {
    const world = await createWorld();
    world.assets = (links) => ({
      visual: asset('s3://bucket/f.tif', links === 'proxy' ? world.proxyLink() : undefined),
    });
    expect((await world.resolve(ref, { mode: 'auto' })).link.kind).toBe('proxy');
  });

  it('takes an unsigned download link as a public file', async () => {
    const world = await createWorld();
    world.assets = () => ({ visual: asset('s3://bucket/f.tif', 'https://public.example/f.tif') });
    const { link } = await world.resolve(ref, { mode: 'auto' });
    expect(link).toEqual({ url: 'https://public.example/f.tif', kind: 'direct', expiresAtMs: null });
    expect(world.minted).toBe(1);
  });

  it.each([
    ['a https href', asset('https://public.example/f.tif'), 'https://public.example/f.tif'],
    [
      'another alternate',
      asset('s3://b/f', undefined, { alternate: { https: { href: 'https://h.example/f' } } }),
      'https://h.example/f',
    ],
    [
      'the spelling download_url',
      asset('s3://b/f', undefined, { alternate: { download_url: { href: 'https://h.example/u' } } }),
      'https://h.example/u',
    ],
  ])('is content with %s', async (_name, visual, url) => {
    const world = await createWorld();
    world.assets = () => ({ visual });
    expect((await world.resolve(ref, { mode: 'auto' })).link).toEqual({
      url,
      kind: 'direct',
      expiresAtMs: null,
    });
  });

  it('resolves a relative href against the item', async () => {
    const world = await createWorld();
    world.assets = () => ({ visual: asset('./f.tif') });
    const { link } = await world.resolve(ref, { mode: 'auto' });
    expect(link.url).toBe(`${world.catalog.origin}/v1/stac/collections/c/items/f.tif`);
  });

  it('falls back to a public href when the proxy fails', async () => {
    const world = await createWorld();
    world.proxy = () => ({ status: 404 });
    world.assets = (links) => ({
      visual: asset('https://public.example/f.tif', links === 'proxy' ? world.proxyLink() : undefined),
    });
    expect((await world.resolve(ref, { mode: 'auto' })).link.kind).toBe('direct');
  });
});

describe('the proxy', () => {
  it('sees the token, the storage it leads to sees nothing', async () => {
    const world = await createWorld();
    const { link } = await world.resolve(ref, { mode: 'proxy' });
    expect(link.kind).toBe('proxy');
    expect(world.proxyRequests().map(({ headers }) => headers.authorization)).toEqual(['Bearer sesame']);
    expect(world.storage.requests).toHaveLength(0);
    const itemRequest = world.catalog.requests[0];
    expect(itemRequest?.headers['x-proxy-asset-urls']).toBe('true');
    expect(itemRequest?.headers['x-signed-asset-urls']).toBeUndefined();
  });

  it.each([301, 302, 303, 307, 308])('may redirect with %i', async (status) => {
    const world = await createWorld();
    world.proxy = () => ({ status, headers: { location: `${world.storage.origin}/x` } });
    expect((await world.resolve(ref, { mode: 'proxy' })).link.url).toBe(`${world.storage.origin}/x`);
  });

  it('is recognised in the download link even where a signed one was asked for', async () => {
    const world = await createWorld();
    world.assets = () => ({ visual: asset('s3://b/f', world.proxyLink()) });
    expect((await world.resolve(ref, { mode: 'auto' })).link.kind).toBe('proxy');
    expect((await failureOf(world.resolve(ref, { mode: 'signed' }))).code).toBe('link.none');
  });

  it('on another origin is a file like any other, and gets no token', async () => {
    const world = await createWorld();
    const foreign = await serve(() => ({ status: 307, headers: { location: `${world.storage.origin}/x` } }));
    world.assets = () => ({
      visual: asset('s3://b/f', `${foreign.origin}/asset?asset_path=s3%3A%2F%2Fb%2Ff`),
    });
    expect((await world.resolve(ref, { mode: 'proxy' })).link).toEqual({
      url: `${foreign.origin}/asset?asset_path=s3%3A%2F%2Fb%2Ff`,
      kind: 'direct',
      expiresAtMs: null,
    });
    expect(foreign.requests).toEqual([]);
  });

  it.each([
    ['401', { status: 401, body: { message: 'Unauthorized' } }, 'auth.required'],
    ['403', { status: 403, body: { detail: 'not yours' } }, 'auth.forbidden'],
    ['404', { status: 404 }, 'stac.asset-not-found'],
    ['429', { status: 429 }, 'http.too-many-requests'],
    ['503', { status: 503 }, 'http.unexpected-status'],
    ['the bytes themselves', { status: 200, body: 'II*' }, 'link.refused'],
    ['a redirect to nowhere', { status: 307 }, 'link.refused'],
    [
      'a redirect to itself',
      { status: 307, headers: { location: '/v1/asset?asset_path=x' } },
      'link.refused',
    ],
  ] as const)('answering %s is an error', async (_name, reply: Reply, code) => {
    const world = await createWorld();
    world.proxy = () => reply;
    expect((await failureOf(world.resolve(ref, { mode: 'proxy' }))).code).toBe(code);
    expect((await failureOf(world.resolve(ref, { mode: 'auto', refused: new Set(['signed']) }))).code).toBe(
      code,
    );
  });
});

describe('no link', () => {
  it.each([
    ['an s3 href alone', asset('s3://bucket/f.tif'), { scheme: 's3' }],
    [
      'a folder',
      asset('s3://b/tiles/0/', 'https://h.example/x', { type: 'inode/directory' }),
      { reason: 'directory' },
    ],
    ['an href that ends in a slash', asset('https://h.example/tiles/'), { reason: 'directory' }],
    ['a file URL', asset('file:///etc/passwd'), { scheme: 'file' }],
    ['a javascript URL', asset('javascript:alert(1)', 'data:text/plain,x'), { scheme: 'javascript' }],
  ])('%s', async (_name, visual, details) => {
    const world = await createWorld();
    world.assets = () => ({ visual });
    for (const mode of ['auto', 'signed', 'proxy'] as const) {
      expect(await failureOf(world.resolve(ref, { mode }))).toMatchObject({ code: 'link.none', details });
    }
  });

  it.each([{ id: 'ok' }, { collection: 'other' }])('of another item: %o', async (named) => {
    const world = await createWorld();
    world.named = named;
    for (const mode of ['auto', 'signed', 'proxy'] as const) {
      expect(await failureOf(world.resolve(ref, { mode }))).toMatchObject({ code: 'stac.invalid-response' });
    }
    world.named = {};
    expect((await world.resolve(ref, { mode: 'auto' })).link.kind).toBe('signed');
  });

  it('an asset that is not there', async () => {
    const world = await createWorld();
    const error = await failureOf(world.resolve({ ...ref, assetKey: 'B99' }, { mode: 'auto' }));
    expect(error).toMatchObject({ code: 'stac.asset-not-found', details: { assetKey: 'B99' } });
  });

  it('when every way was refused', async () => {
    const world = await createWorld();
    const refused = new Set(['signed', 'proxy', 'direct'] as const);
    expect((await failureOf(world.resolve(ref, { mode: 'auto', refused }))).code).toBe('link.refused');
  });

  it('says nothing of a signature in its errors', async () => {
    const world = await createWorld();
    world.proxy = () => ({ status: 403, body: `<Error><Message>no ${world.signedLink()}</Message></Error>` });
    const error = await failureOf(world.resolve(ref, { mode: 'proxy' }));
    expect(JSON.stringify(error.toData())).not.toMatch(/Signature=\d/);
  });
});

describe('renewal', () => {
  it('asks once for many assets of an item at the same time and shortly after', async () => {
    const world = await createWorld();
    await Promise.all([world.resolve(ref, { mode: 'auto' }), world.resolve(other, { mode: 'auto' })]);
    await world.resolve(ref, { mode: 'signed' });
    expect(world.minted).toBe(1);
  });

  it('mints anew when less than five minutes are left', async () => {
    const world = await createWorld();
    world.ttlSeconds = 600;
    await world.resolve(ref, { mode: 'auto' });
    world.nowMs += 4 * 60_000;
    await world.resolve(ref, { mode: 'auto' });
    expect(world.minted).toBe(1);
    world.nowMs += 61_000;
    world.serverMs = world.nowMs;
    expect((await world.resolve(ref, { mode: 'auto' })).link.url).toContain('Signature=2');
  });

  it.each([-24, 24])("goes by the server's clock, not by ours that is %i hours off", async (hours) => {
    const world = await createWorld();
    world.ttlSeconds = 600;
    world.nowMs = world.serverMs + hours * 3_600_000;
    const pass = (minutes: number) => {
      world.nowMs += minutes * 60_000;
      world.serverMs += minutes * 60_000;
    };
    await world.resolve(ref, { mode: 'auto' });
    pass(4);
    await world.resolve(ref, { mode: 'auto' });
    expect(world.minted).toBe(1);
    pass(2);
    await world.resolve(ref, { mode: 'auto' });
    expect(world.minted).toBe(2);
  });

  it('of a link that lives for seconds happens no more often than needed', async () => {
    const world = await createWorld();
    world.ttlSeconds = 30;
    await world.resolve(ref, { mode: 'auto' });
    await world.resolve(ref, { mode: 'auto' });
    expect(world.minted).toBe(1);
    world.nowMs += 11_000;
    await world.resolve(ref, { mode: 'auto' });
    expect(world.minted).toBe(2);
  });

  it('after a refusal mints anew, once for all assets that were given the same answer', async () => {
    const world = await createWorld();
    await world.resolve(ref, { mode: 'auto' });
    await world.resolve(other, { mode: 'auto' });
    const first = await world.resolve(ref, { mode: 'auto', isRenewal: true });
    const second = await world.resolve(other, { mode: 'auto', isRenewal: true });
    expect(first.link.url).toContain('Signature=2');
    expect(second.link.url).toContain('Signature=2');
    expect(world.minted).toBe(2);
    // However often it is refused, the catalog isn't asked more than once in ten seconds.
    expect((await world.resolve(ref, { mode: 'auto', isRenewal: true })).link.url).toContain('Signature=2');
    world.nowMs += 10_000;
    expect((await world.resolve(ref, { mode: 'auto', isRenewal: true })).link.url).toContain('Signature=3');
  });

  it('of one caller that gives up does not disturb the others', async () => {
    const world = await createWorld();
    const controller = new AbortController();
    const given = failureOf(world.resolve(ref, { mode: 'auto', signal: controller.signal }));
    const kept = world.resolve(other, { mode: 'auto' });
    controller.abort();
    expect((await given).code).toBe('cancelled');
    expect((await kept).link.kind).toBe('signed');
    expect(world.minted).toBe(1);
  });

  it('tries again after a failure', async () => {
    const world = await createWorld();
    const { assets } = world;
    world.assets = () => ({});
    expect((await failureOf(world.resolve(ref, { mode: 'auto' }))).code).toBe('stac.asset-not-found');
    world.assets = assets;
    world.nowMs += 11_000;
    expect((await world.resolve(ref, { mode: 'auto' })).link.kind).toBe('signed');
  });

  it('of links that have ended when they come happens once, and then the proxy takes over', async () => {
    const world = await createWorld();
    world.ttlSeconds = -60;
    const signed = world.signedLink;
    world.assets = (links) => ({
      visual: asset('s3://bucket/f.tif', links === 'proxy' ? world.proxyLink() : signed()),
    });
    expect((await world.resolve(ref, { mode: 'auto' })).link.kind).toBe('proxy');
    expect(world.minted).toBe(3);
    expect(await failureOf(world.resolve(ref, { mode: 'signed' }))).toMatchObject({ code: 'link.refused' });
    expect(world.minted).toBe(3);
  });

  it('of a link that has ended only by the clock of the catalog leaves that to the storage', async () => {
    const world = await createWorld();
    const dayMs = 86_400_000;
    world.serverMs = world.nowMs + dayMs;
    world.ttlSeconds = 3600 - dayMs / 1000;
    expect((await world.resolve(ref, { mode: 'signed' })).link.kind).toBe('signed');
  });

  it('of an item with many assets is not needed for as long as its links last', async () => {
    const world = await createWorld();
    await world.resolve(ref, { mode: 'auto' });
    for (let hour = 0; hour < 11; hour += 1) {
      world.nowMs += 3_600_000;
      world.serverMs += 3_600_000;
      await world.resolve(other, { mode: 'auto' });
    }
    expect(world.minted).toBe(1);
    world.nowMs += 3_400_000;
    world.serverMs += 3_400_000;
    await world.resolve(ref, { mode: 'auto' });
    expect(world.minted).toBe(2);
  });

  it('of a signed link that does not say when it ends comes after twelve hours', async () => {
    const world = await createWorld();
    world.assets = () => ({ visual: asset('s3://b/f', `${world.storage.origin}/f?sig=x&n=${world.minted}`) });
    await world.resolve(ref, { mode: 'auto' });
    world.nowMs += 11.9 * 3_600_000;
    await world.resolve(ref, { mode: 'auto' });
    expect(world.minted).toBe(1);
    world.nowMs += 0.05 * 3_600_000;
    await world.resolve(ref, { mode: 'auto' });
    expect(world.minted).toBe(2);
  });

  it('of a file that seems to be another one asks for the item again', async () => {
    const world = await createWorld();
    await world.resolve(ref, { mode: 'proxy' });
    await world.resolve(ref, { mode: 'proxy', hasChanged: true });
    expect(world.minted).toBe(2);
  });
});
