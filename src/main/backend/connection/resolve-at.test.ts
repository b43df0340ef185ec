import { describe, expect, it } from 'vitest';
import { eventually } from '#shared/testing/eventually.ts';
import { failureOf } from '../http/testing/failure-of.ts';
import { serve } from '../http/testing/serve.ts';
import { resolveAt } from './resolve-at.ts';
import { accessTo, becomes, connect, noCollections } from './testing/connect.ts';

const options = { mode: 'auto' } as const;
const assetOf = (itemId: string) => ({ collectionId: 'c', itemId, assetKey: 'a' });
const itemOf = (id: string) => ({
  type: 'Feature',
  id,
  collection: 'c',
  assets: { a: { href: `https://s.example/${id}` } },
});

describe('a link from a catalog', () => {
  it('is asked for again as soon as the catalog lets us in', async () => {
    let isLetIn = false;
    const server = await serve(({ target }) => {
      if (!isLetIn) return { status: 401 };
      return { body: target.includes('/items/') ? itemOf('i') : noCollections };
    });
    const connection = connect(() => Promise.resolve(accessTo(server)));
    await becomes(connection, 'unauthorized');
    const ask = () => resolveAt(connection, assetOf('i'), options);
    expect(await failureOf(ask())).toMatchObject({ code: 'auth.required' });
    isLetIn = true;
    await connection.retry();
    expect((await ask()).link.url).toBe('https://s.example/i');
  });

  it('is had although another file has just been refused, where the catalog says that it lets us in', async () => {
    const server = await serve(({ target }) => {
      if (target.includes('/items/locked')) return { status: 401 };
      return { body: target.includes('/items/') ? itemOf('open') : noCollections };
    });
    const connection = connect(() => Promise.resolve(accessTo(server)));
    await becomes(connection, 'online');
    expect(await failureOf(resolveAt(connection, assetOf('locked'), options))).toMatchObject({
      code: 'auth.required',
    });
    expect((await resolveAt(connection, assetOf('open'), options)).link.url).toBe('https://s.example/open');
    expect(connection.status.state).toBe('online');
  });

  it('is not waited for by who has been stopped meanwhile', async () => {
    const { promise: never } = Promise.withResolvers<never>();
    let isAnswering = true;
    const server = await serve(({ target }) => {
      if (target.includes('/items/')) return { status: 401 };
      return isAnswering ? { body: noCollections } : never;
    });
    const connection = connect(() => Promise.resolve(accessTo(server)));
    await becomes(connection, 'online');
    isAnswering = false;
    await failureOf(resolveAt(connection, assetOf('locked'), options));
    const stop = new AbortController();
    const failure = failureOf(resolveAt(connection, assetOf('other'), { ...options, signal: stop.signal }));
    await eventually(() => expect(server.requests.at(-1)?.target).toBe('/collections'));
    stop.abort();
    expect(await failure).toMatchObject({ code: 'cancelled' });
  });
});
