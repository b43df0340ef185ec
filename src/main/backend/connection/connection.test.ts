import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '#shared/errors/app-error.ts';
import { failureOf } from '../http/testing/failure-of.ts';
import { serve } from '../http/testing/serve.ts';
import { createConnection } from './connection.ts';
import { accessTo, becomes, connect, noCollections } from './testing/connect.ts';

describe('the connection to a catalog', () => {
  it('comes back by itself after the server was out of order', async () => {
    let status = 503;
    const server = await serve(() => (status === 200 ? { body: noCollections } : { status }));
    const connection = connect(() => Promise.resolve(accessTo(server)));
    await becomes(connection, 'faulty');
    expect(connection.status.problem).toContain('503');
    status = 200;
    await becomes(connection, 'online');
    expect(connection.status.problem).toBeNull();
  });

  it('does not ask again by itself where that would change nothing', async () => {
    const server = await serve(() => ({ status: 401 }));
    const connection = connect(() => Promise.resolve(accessTo(server)));
    await becomes(connection, 'unauthorized');
    expect(server.requests).toHaveLength(1);
    await connection.retry();
    expect(server.requests).toHaveLength(2);
  });

  it('is online for as long as the catalog answers, even with a refusal', async () => {
    const server = await serve(({ target }) =>
      target === '/collections' ? { body: noCollections } : { status: 404 },
    );
    const connection = connect(() => Promise.resolve(accessTo(server)));
    await becomes(connection, 'online');
    await failureOf(connection.ask((catalog) => catalog.collection('nothing')));
    expect(connection.status.state).toBe('online');
  });

  it.each([401, 404, 503])('is online although a page on another server answers with %d', async (status) => {
    const other = await serve(() => ({ status }));
    const item = { type: 'Feature', id: 'a', collection: 'c' };
    const links = [{ rel: 'next', href: `${other.origin}/page` }];
    const server = await serve(({ target }) => ({
      body:
        target === '/collections' ? noCollections : { type: 'FeatureCollection', features: [item], links },
    }));
    const connection = connect(() => Promise.resolve(accessTo(server)));
    await becomes(connection, 'online');
    const { catalog } = await connection.access();
    const pages = catalog.search({});
    await connection.ask(() => pages.next());
    expect((await failureOf(connection.ask(() => pages.next()))).details).toMatchObject({
      isElsewhere: true,
    });
    expect(connection.status.state).toBe('online');
  });

  it('is away once somebody has met that, and not for a file that is refused', async () => {
    const server = await serve(() => ({ body: noCollections }));
    const connection = createConnection({
      name: 'catalog.example',
      kind: 'remote',
      start: () => Promise.resolve(accessTo(server)),
      probe: (catalog) => catalog.collections(),
    });
    onTestFinished(() => connection.close());
    await becomes(connection, 'online');
    await connection.note(new AppError('auth.forbidden', 'not this one'));
    expect(connection.status.state).toBe('online');
    await connection.note(new AppError('network.offline', 'gone'));
    expect(connection.status).toMatchObject({ state: 'offline', problem: 'gone' });
    const { nextProbeAtMs } = connection.status;
    await connection.note(new AppError('network.offline', 'still gone'));
    expect(connection.status).toMatchObject({ problem: 'gone', nextProbeAtMs });
    await connection.retry();
    expect(connection.status.state).toBe('online');
  });

  it('asks the catalog itself whether it wants another login once a file met that', async () => {
    let isLetIn = true;
    const server = await serve(() => (isLetIn ? { body: noCollections } : { status: 401 }));
    const connection = connect(() => Promise.resolve(accessTo(server)));
    await becomes(connection, 'online');
    const refusal = new AppError('auth.required', 'no token');
    expect(await Promise.all([connection.note(refusal), connection.note(refusal)])).toEqual([true, true]);
    expect(server.requests).toHaveLength(2);
    isLetIn = false;
    await connection.note(new AppError('auth.required', 'said again', { details: { retryAfterMs: 5000 } }));
    await connection.note(new AppError('auth.required', 'a storage', { details: { isElsewhere: true } }));
    expect(server.requests).toHaveLength(2);
    expect(await connection.note(new AppError('auth.client-refused', 'another secret'))).toBe(false);
    expect(connection.status.state).toBe('unauthorized');
  });

  it('starts again after a start that failed', async () => {
    const server = await serve(() => ({ body: noCollections }));
    const starts = [
      () => Promise.reject(new AppError('library.in-use', 'taken')),
      () => Promise.resolve(accessTo(server)),
    ];
    const connection = connect(() => (starts.shift() ?? failOnThirdStart)());
    expect(await failureOf(connection.access())).toMatchObject({ code: 'network.offline', retryable: true });
    expect(connection.status).toMatchObject({ state: 'failed', problem: 'taken' });
    await connection.retry();
    expect(connection.status).toMatchObject({ state: 'online', baseUrl: server.origin });
  });

  it('lets go of the gate, which others use on, when it is closed', async () => {
    const server = await serve(() => ({ body: noCollections }));
    const access = accessTo(server);
    let listenerCount = 0;
    const onActivity = (listener: () => void) => {
      const stop = access.http.onActivity(listener);
      listenerCount += 1;
      return () => {
        listenerCount -= 1;
        stop();
      };
    };
    const connection = connect(() =>
      Promise.resolve({
        ...access,
        http: Object.assign(Object.create(access.http) as typeof access.http, { onActivity }),
      }),
    );
    await becomes(connection, 'online');
    expect(listenerCount).toBe(1);
    await connection.close();
    expect(listenerCount).toBe(0);
  });

  it('gives up a start that is under way when it is closed', async () => {
    const connection = connect(
      (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
    );
    const failure = failureOf(connection.access());
    await connection.close();
    expect(await failure).toMatchObject({ code: 'network.offline' });
  });
});

function failOnThirdStart(): never {
  throw new Error('It was started a third time');
}
