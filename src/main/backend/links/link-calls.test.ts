import { describe, expect, it } from 'vitest';
import { failureOf } from '../http/testing/failure-of.ts';
import { asset, createWorld, type AskedLinks } from './testing/link-world.ts';

const ref = { collectionId: 'c', itemId: 'i', assetKey: 'visual' };

describe('what the proxy leads to', () => {
  const inProxy = { mode: 'proxy' } as const;

  it('serves all ranges of a file that ask at once or shortly after', async () => {
    const world = await createWorld();
    await Promise.all([1, 2, 3, 4].map(() => world.resolve(ref, inProxy)));
    await world.resolve(ref, inProxy);
    expect(world.proxyRequests()).toHaveLength(1);
  });

  it('is asked for again when it was refused, once for all ranges, without asking for the item', async () => {
    const world = await createWorld();
    await world.resolve(ref, inProxy);
    await Promise.all([1, 2, 3].map(() => world.resolve(ref, { ...inProxy, isRenewal: true })));
    await world.resolve(ref, { ...inProxy, isRenewal: true });
    expect(world.proxyRequests()).toHaveLength(2);
    expect(world.minted).toBe(1);
    expect(world.proxyRequests().map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 2 }, () => 'Bearer sesame'),
    );
  });

  it('is used for half of its life where that is short', async () => {
    const world = await createWorld();
    world.proxy = () => ({
      status: 307,
      headers: { location: `${world.storage.origin}/p?Signature=p&Expires=${world.serverMs / 1000 + 300}` },
    });
    await world.resolve(ref, inProxy);
    world.nowMs += 149_000;
    await world.resolve(ref, inProxy);
    expect(world.proxyRequests()).toHaveLength(1);
    world.nowMs += 2000;
    world.serverMs = world.nowMs;
    await world.resolve(ref, inProxy);
    expect(world.proxyRequests()).toHaveLength(2);
  });
});

describe('a proxy that leads to another spelling of itself', () => {
  it.each([
    [5, null],
    [6, 'link.refused'],
  ])('%d times is followed, or refused: %s', async (redirectCount, code) => {
    const world = await createWorld();
    let count = 0;
    world.proxy = () => {
      count += 1;
      const location =
        count < redirectCount ? `${world.proxyLink()}&n=${count}` : `${world.storage.origin}/x`;
      return { status: 307, headers: { location } };
    };
    const link = world.resolve(ref, { mode: 'proxy' });
    if (code === null) expect((await link).link.kind).toBe('proxy');
    else expect(await failureOf(link)).toMatchObject({ code });
    expect(count).toBe(5);
  });
});

describe('the server that links come from', () => {
  const refs = Array.from({ length: 12 }, (_, index) => ({ ...ref, itemId: `i${index}` }));

  it('is asked by at most four at once', async () => {
    const world = await createWorld();
    let active = 0;
    let most = 0;
    world.proxy = async () => {
      active += 1;
      most = Math.max(most, active);
      await new Promise((resolve) => setTimeout(resolve, 5));
      active -= 1;
      return { status: 307, headers: { location: `${world.storage.origin}/x` } };
    };
    const proxied = (links: AskedLinks, index: number) =>
      asset('s3://b/f', links === 'proxy' ? `${world.proxyLink()}&n=${index}` : undefined);
    let index = 0;
    world.assets = (links) => ({ visual: proxied(links, (index += 1)) });
    await Promise.all(refs.map((one) => world.resolve(one, { mode: 'proxy' })));
    expect(most).toBe(4);
    expect(world.proxyRequests()).toHaveLength(12);
  });

  it('is left alone by all after it wanted another login', async () => {
    const world = await createWorld();
    world.proxy = () => ({ status: 401 });
    for (const one of refs) {
      expect((await failureOf(world.resolve(one, { mode: 'proxy' }))).code).toBe('auth.required');
    }
    expect(world.proxyRequests()).toHaveLength(1);
    world.proxy = () => ({ status: 307, headers: { location: `${world.storage.origin}/x` } });
    world.nowMs += 61_000;
    expect((await world.resolve(ref, { mode: 'proxy' })).link.kind).toBe('proxy');
  });

  it('is given the time that it asks for', async () => {
    const world = await createWorld();
    world.proxy = () => ({ status: 429, headers: { 'retry-after': '120' } });
    await failureOf(world.resolve(ref, { mode: 'proxy' }));
    world.nowMs += 30_000;
    expect(await failureOf(world.resolve(ref, { mode: 'proxy' }))).toMatchObject({
      code: 'http.too-many-requests',
      details: { retryAfterMs: 90_000 },
    });
    expect(world.proxyRequests()).toHaveLength(1);
  });

  it('is asked again within an hour, however far away the time is that it asks for', async () => {
    const world = await createWorld();
    world.proxy = () => ({ status: 429, headers: { 'retry-after': '999999999' } });
    const ask = () => failureOf(world.resolve(ref, { mode: 'proxy' }));
    await ask();
    world.nowMs += 59 * 60_000;
    await ask();
    expect(world.proxyRequests()).toHaveLength(1);
    world.nowMs += 2 * 60_000;
    await ask();
    expect(world.proxyRequests()).toHaveLength(2);
  });

  it('is left alone for a while after an error of its own, longer each time', async () => {
    const world = await createWorld();
    world.proxy = () => ({ status: 502 });
    const pauses: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await failureOf(world.resolve(ref, { mode: 'proxy' }));
      const { details } = await failureOf(world.resolve(ref, { mode: 'proxy' }));
      pauses.push(Number(details['retryAfterMs']));
      world.nowMs += Number(details['retryAfterMs']);
    }
    expect(world.proxyRequests()).toHaveLength(8);
    expect(pauses[0]).toBeLessThanOrEqual(2000);
    expect(pauses[7]).toBeGreaterThanOrEqual(30_000);
    expect(pauses[7]).toBeLessThanOrEqual(60_000);
  });
});
