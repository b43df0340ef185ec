import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectionDraft } from '#shared/connection/connection-settings.ts';
import { eventually } from '#shared/testing/eventually.ts';
import type { Transfer } from '#shared/transfer/transfer.ts';
import { placeOrder } from '../api/testing/place-order.ts';
import { serveDemo } from '../commands.ts';
import { serve } from '../http/testing/serve.ts';
import { systemClock } from '../ports.ts';
import { idOfAddress } from './connection-choice.ts';
import { draftOf, secret, serveCatalog, tokensSeenBy, useDesk } from './testing/desk.ts';

const desk = useDesk();

describe('several catalogs', () => {
  it('counts the requests of all connections to one server together', async () => {
    let [active, most] = [0, 0];
    const { promise: othersWait, resolve: release } = Promise.withResolvers<null>();
    const busy = await serve(async ({ target }) => {
      if (!target.startsWith('/search')) return { body: { collections: [], links: [] } };
      most = Math.max(most, (active += 1));
      await othersWait;
      active -= 1;
      return { body: { type: 'FeatureCollection', features: [], links: [] } };
    });
    const { client } = desk.open();
    const searchBy = async (name: string) => {
      const { connectionId } = await client.connection.save(
        draftOf(busy, { name, maxConcurrentRequests: 1 }),
      );
      await client.connection.select({ connectionId });
      return [client.search.run({ query: {} }), client.search.run({ query: {} })];
    };
    const searches = [...(await searchBy('One')), ...(await searchBy('Other'))];
    client.connection.watch({}, { onEvent: ({ waitingRequests }) => waitingRequests === 3 && release(null) });
    await Promise.all(searches);
    expect(most).toBe(1);
  });

  it('asks the one in use, with its own token, and remembers which it is', async () => {
    const [near, far] = [await serveCatalog('near'), await serveCatalog('far')];
    const first = desk.open({ choice: { kind: 'remote', baseUrl: near.origin, token: null } });
    const { connectionId } = await first.client.connection.save(draftOf(far));
    await first.client.connection.select({ connectionId });
    expect((await first.client.search.run({ query: {} })).rows[0]?.itemId).toBe('item-of-far');
    expect([tokensSeenBy(near), tokensSeenBy(far)]).toEqual([[undefined], [`Bearer ${secret}`]]);
    await first.close();

    const second = desk.open({ env: { SWATH_TOKEN: 'from-the-environment' } });
    expect((await second.client.catalog.collections({})).collections[0]?.id).toBe('far');
    expect(tokensSeenBy(far).at(-1)).toBe('Bearer from-the-environment');
    expect(
      readdirSync(join(desk.root, 'data')).filter((name) => /^library-.*sqlite$/.test(name)),
    ).toHaveLength(2);
  });

  it('keeps both of two that are saved at once', async () => {
    const { client } = desk.open({ choice: { kind: 'remote', baseUrl: 'http://127.0.0.1:9', token: null } });
    const drafts = ['https://one.example', 'https://two.example'].map((origin) =>
      draftOf({ origin }, { name: origin }),
    );
    await Promise.all(drafts.map((draft) => client.connection.save(draft)));
    expect(desk.stored['connections']).toMatchObject(drafts.map(({ name }) => ({ name })));
  });

  it('finds the library of an address again, whether it was set up or is on the command line', async () => {
    const server = await serveCatalog('one');
    const first = desk.open({ choice: { kind: 'remote', baseUrl: server.origin, token: null } });
    await first.client.search.run({ query: {} });
    const { connectionId } = await first.client.connection.save(
      draftOf(server, { auth: { kind: 'none' }, secret: null }),
    );
    await first.close();
    const second = desk.open({ choice: { kind: 'saved', nameOrId: 'archive' } });
    const kept = await second.client.item.kept({ collectionId: 'one', itemId: 'item-of-one' });
    expect(kept?.row.itemId).toBe('item-of-one');
    expect(existsSync(join(desk.root, 'data', `library-${connectionId}.sqlite`))).toBe(true);
  });

  it.each(['added', 'there before'])(
    'asks a catalog of the command line with the token typed last, %s',
    async (when) => {
      const server = await serveCatalog('one');
      const choice = { kind: 'remote', baseUrl: server.origin, token: 'of-the-command-line' } as const;
      const setUp = async (
        client: ReturnType<typeof desk.open>['client'],
        id: string | null,
        typed: string,
      ) => (await client.connection.save(draftOf(server, { id, secret: typed }))).connectionId;
      let id: string | null = null;
      if (when === 'there before') {
        const before = desk.open();
        id = await setUp(before.client, null, 'of-old');
        await before.close();
      }
      const { client } = desk.open({ choice });
      await client.search.run({ query: {} });
      expect(tokensSeenBy(server).at(-1)).toBe('Bearer of-the-command-line');
      await setUp(client, id, secret);
      await client.search.run({ query: {} });
      expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
    },
  );

  it('opens only what is needed', async () => {
    const server = await serveCatalog('one');
    const { client, watchList } = desk.open({
      choice: { kind: 'remote', baseUrl: server.origin, token: null },
    });
    await client.connection.save(draftOf(server, { name: 'Another', baseUrl: 'https://catalog.example/' }));
    const seen = watchList();
    await eventually(() => expect(seen.list?.connections).toHaveLength(3));
    expect(seen.list?.connections.map(({ state }) => state === 'closed')).toEqual([true, true, false]);
    expect(readdirSync(join(desk.root, 'data')).filter((name) => name.startsWith('demo'))).toEqual([]);
  });

  it('answers a search from the catalog that it was put to, whichever is in use by then', async () => {
    let letGo = (): void => undefined;
    const slow = await serveCatalog('slow', new Promise((resolve) => (letGo = resolve)));
    const quick = await serveCatalog('quick');
    const { client } = desk.open({ choice: { kind: 'remote', baseUrl: slow.origin, token: null } });
    const answer = client.search.run({ query: {} });
    await eventually(() =>
      expect(slow.requests.some(({ target }) => target.startsWith('/search'))).toBe(true),
    );
    const { connectionId } = await client.connection.save(draftOf(quick));
    await client.connection.select({ connectionId });
    expect((await client.search.run({ query: {} })).rows[0]?.itemId).toBe('item-of-quick');
    letGo();
    expect((await answer).rows[0]?.itemId).toBe('item-of-slow');
    expect(await client.item.kept({ collectionId: 'slow', itemId: 'item-of-slow' })).toBeNull();
  });

  it('leaves one as it is that the command line names when another of its address is given a secret', async () => {
    const server = await serveCatalog('one');
    const named = { ...draftOf(server), id: 'a1' };
    const other = { ...named, id: 'a2', name: 'Other' };
    desk.stored = { connections: [named, other] };
    const choice = { kind: 'remote', baseUrl: named.baseUrl, token: 'of-the-command-line' } as const;
    const { client } = desk.open({ choice });
    await client.search.run({ query: {} });
    await client.connection.save({ ...other, secret });
    await client.connection.save({ ...named, name: 'By another name', secret: null });
    await client.search.run({ query: {} });
    expect(server.requests.filter(({ target }) => target.startsWith('/search'))).toHaveLength(2);
    expect(tokensSeenBy(server)).toEqual(['Bearer of-the-command-line']);
  });

  it('is the same at the next start where the command line named it and it was set up', async () => {
    const server = await serveCatalog('one');
    const first = desk.open({ choice: { kind: 'remote', baseUrl: `${server.origin}/`, token: 'once' } });
    await first.client.connection.save(draftOf(server, { auth: { kind: 'none' }, secret: null }));
    await first.close();
    const second = desk.open();
    expect((await second.client.catalog.collections({})).collections[0]?.id).toBe('one');
  });

  it.each([
    ['', null],
    [' and the command line named it', { kind: 'saved', nameOrId: 'a1' } as const],
  ])('falls back to the demo catalog when the one in use is removed%s', async (_, choice) => {
    const server = await serveCatalog('one');
    desk.stored = {
      connectionId: 'a1',
      connections: [{ ...draftOf(server), id: 'a1', baseUrl: server.origin }],
    };
    const { client, watchList } = desk.open({ choice });
    const seen = watchList();
    await eventually(() => expect(seen.list?.connections[1]).toMatchObject({ id: 'a1', isCurrent: true }));
    await client.connection.remove({ connectionId: 'a1' });
    await eventually(() =>
      expect(seen.list?.connections).toMatchObject([{ id: 'demo', isCurrent: true, name: 'Demo catalog' }]),
    );
    expect(desk.stored).toMatchObject({ connections: [], connectionId: 'demo' });
    await expect(client.connection.select({ connectionId: 'a1' })).rejects.toMatchObject({
      code: 'connection.not-found',
    });
  });
});

describe('a service of the environment', () => {
  async function serveAccount() {
    const catalog = await serve(({ headers }) =>
      headers.authorization === 'Bearer fresh-token'
        ? { body: { collections: [{ id: 'imagery', links: [] }], links: [] } }
        : { status: 401, body: {} },
    );
    const accounts = await serve(({ body }) =>
      body.includes(secret)
        ? { body: { access_token: 'fresh-token', token_type: 'Bearer', expires_in: 3600 } }
        : { status: 401, body: { error: 'invalid_client' } },
    );
    const env = {
      EDS_API_URL: `${catalog.origin}/v1/stac`,
      EDS_AUTH_URL: `${accounts.origin}/token`,
      EDS_CLIENT_ID: 'someone',
      EDS_SECRET: secret,
    };
    return { catalog, accounts, env };
  }
  const elsewhere = { kind: 'remote', baseUrl: 'http://127.0.0.1:9', token: null } as const;

  it('is taken over from a file, once, and its secret goes to its token address alone', async () => {
    const { catalog, accounts, env } = await serveAccount();
    const { client, watchList } = desk.open({ choice: elsewhere });
    const text = Object.entries(env)
      .map(([name, value]) => `${name}="${value}"`)
      .join('\n');
    const { connectionId } = await client.connection.importEnvironment({ text });
    expect(await client.connection.importEnvironment({ text })).toEqual({ connectionId });
    await client.connection.select({ connectionId });
    expect((await client.catalog.collections({})).collections[0]?.id).toBe('imagery');
    expect(accounts.requests).toHaveLength(1);
    expect(JSON.stringify(catalog.requests)).not.toContain(secret);
    const seen = watchList();
    await eventually(() => expect(seen.list?.connections).toHaveLength(3));
    expect([...desk.crossed, JSON.stringify(desk.stored)].join()).not.toMatch(
      new RegExp(`${secret}|fresh-token`),
    );
  });

  it('is offered where the program has it, and its secret stays there', async () => {
    const { env } = await serveAccount();
    const { client, watchList } = desk.open({ choice: elsewhere, env });
    const seen = watchList();
    await eventually(() => expect(seen.list?.hasEnvironment).toBe(true));
    const { connectionId } = await client.connection.importEnvironment({ text: null });
    await eventually(() =>
      expect(seen.list?.connections[1]).toMatchObject({ id: connectionId, secretPlace: 'environment' }),
    );
    await client.connection.select({ connectionId });
    expect((await client.catalog.collections({})).collections).toHaveLength(1);
  });

  it('is tried step by step before it is kept', async () => {
    const { env } = await serveAccount();
    const { client } = desk.open({ choice: elsewhere });
    const auth = { kind: 'oauth2', tokenUrl: env.EDS_AUTH_URL, clientId: 'someone', style: 'body' } as const;
    const draft = draftOf({ origin: env.EDS_API_URL }, { auth });
    const run = (changes: Partial<ConnectionDraft>) =>
      new Promise<Record<string, string>>((resolve, reject) => {
        client.connection.check(
          { ...draft, ...changes },
          {
            onEvent: ({ steps, isDone }) => {
              if (isDone) resolve(Object.fromEntries(steps.map(({ step, state }) => [step, state])));
            },
            onError: reject,
          },
        );
      });
    expect(await run({})).toMatchObject({ reachable: 'ok', authenticated: 'ok', collections: 'ok' });
    expect(await run({ secret: 'wrong' })).toMatchObject({ reachable: 'ok', authenticated: 'failed' });
    expect(desk.stored).toEqual({});
    expect(desk.crossed.join()).not.toContain(secret);
  });

  it('says what is missing in a file', async () => {
    const { client } = desk.open({ choice: elsewhere });
    await expect(client.connection.importEnvironment({ text: 'EDS_SECRET=x' })).rejects.toMatchObject({
      code: 'input.invalid',
      details: { why: expect.stringContaining('EDS_CLIENT_ID') as string },
    });
  });
});

describe('the network', () => {
  it('keeps the login of a proxy apart from the settings, and says which proxy is in use', async () => {
    const { client } = desk.open({
      choice: { kind: 'remote', baseUrl: 'http://catalog.example', token: null },
    });
    const proxy = { mode: 'manual', address: `http://me:${secret}@127.0.0.1:9` } as const;
    await client.settings.changeNetwork({ proxy, extraCaFile: null });
    expect(desk.stored).toMatchObject({ network: { proxy: { mode: 'manual', url: 'http://127.0.0.1:9' } } });
    expect((await client.settings.network({})).proxy).toBe('127.0.0.1:9');
    expect([...desk.crossed, JSON.stringify(desk.stored)].join()).not.toContain(secret);
    await expect(
      client.settings.changeNetwork({ proxy, extraCaFile: join(desk.root, 'nowhere.pem') }),
    ).rejects.toMatchObject({ code: 'input.invalid', details: { field: 'extraCaFile' } });
  });
});

describe('a transfer', () => {
  it('goes on from its own catalog after a switch, and again when that is added anew', async () => {
    const demo = await serveDemo({
      dataDir: join(desk.root, 'demo'),
      port: 0,
      itemCount: 60,
      clock: systemClock,
      token: secret,
    });
    onTestFinished(() => demo.close());
    const other = await serveCatalog('other');
    const { client } = desk.open({ choice: { kind: 'remote', baseUrl: other.origin, token: null } });
    const draft = draftOf({ origin: demo.baseUrl });
    const { connectionId } = await client.connection.save(draft);
    await client.connection.select({ connectionId });
    const { rows } = await client.search.run({ query: { collections: ['sentinel-2-l2a'], limit: 1 } });
    const { collectionId = '', itemId = '' } = rows[0] ?? {};
    const order = { refs: [{ collectionId, itemId }], destination: join(desk.root, 'home') };
    const latest = new Map<number, Transfer>();
    client.downloads.watch(
      {},
      {
        onEvent: ({ changed }) => {
          for (const transfer of changed) latest.set(transfer.downloadId, transfer);
        },
      },
    );
    // Nothing runs before what is to be seen is prepared.
    const orderAtRest = async (assetKey: string): Promise<number> => {
      await client.downloads.pauseQueue({});
      const { downloadId } = await placeOrder(client, { ...order, assetKeys: [assetKey] });
      return downloadId;
    };

    const first = await orderAtRest('thumbnail');
    await client.connection.select({ connectionId: idOfAddress(other.origin) });
    await client.downloads.resumeQueue({});
    await eventually(() => expect(latest.get(first)?.state).toBe('done'));

    await client.connection.select({ connectionId });
    const second = await orderAtRest('visual');
    await client.connection.remove({ connectionId });
    await client.downloads.resumeQueue({});
    await eventually(() => expect(latest.get(second)?.error?.code).toBe('connection.not-found'));
    expect(await client.connection.save(draft)).toEqual({ connectionId });
    await client.downloads.resume({ downloadId: second });
    await eventually(() => expect(latest.get(second)?.state).toBe('done'));
  });
});
