import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ConnectionList } from '#shared/connection/connection-list.ts';
import type { ConnectionDraft } from '#shared/connection/connection-settings.ts';
import { createClient } from '#shared/rpc/client.ts';
import { contract } from '#shared/rpc/contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import type { Settings } from '#shared/settings/settings.ts';
import { createBackend, openLog, serveDemo } from '../backend.ts';
import type { RecordingServer } from '../http/testing/recording-server.ts';
import { serve } from '../http/testing/serve.ts';
import { systemClock } from '../ports.ts';
import { idOfAddress, type ConnectionChoice } from './connection-choice.ts';

const secret = 'hunter2-very-secret';

let root: string;
let stored: Record<string, unknown>;
/** Everything that the program told the window. */
let crossed: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'swath-catalogs-'));
  mkdirSync(join(root, 'home'));
  stored = {};
  crossed = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface Wish {
  choice?: ConnectionChoice | null;
  env?: Record<string, string>;
}

function open({ choice = null, env = {} }: Wish = {}) {
  const backend = createBackend({
    isValidating: true,
    connection: choice,
    ports: {
      host: 'browser',
      appVersion: '1.2.3',
      dataDir: join(root, 'data'),
      homeDir: join(root, 'home'),
      downloadsDir: join(root, 'home'),
      settings: { read: () => stored, write: (settings: Settings) => void (stored = { ...settings }) },
      env,
      desktop: {},
      clock: systemClock,
      logger: openLog(join(root, 'swath.log'), { clock: systemClock }),
    },
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await backend.close();
    isClosed = true;
  };
  onTestFinished(close);
  const [near, far] = createMemoryPipe();
  near.onMessage((text) => crossed.push(text));
  backend.router.serve(far);
  const client = createClient(contract, near, { isValidating: true });
  const watchList = () => {
    const seen: { list: ConnectionList | null } = { list: null };
    client.connection.list({}, { onEvent: (list) => (seen.list = list) });
    return seen;
  };
  return { client, close, watchList };
}

/** A catalog of one collection and one item, named after it. */
function serveCatalog(name: string, hold?: Promise<void>): Promise<RecordingServer> {
  return serve(async ({ target }) => {
    if (target.startsWith('/search')) {
      await hold;
      return {
        body: {
          type: 'FeatureCollection',
          features: [{ type: 'Feature', id: `item-of-${name}`, collection: name }],
          links: [],
        },
      };
    }
    return { body: { collections: [{ id: name, links: [] }], links: [] } };
  });
}

function draftOf(server: { origin: string }, changes: Partial<ConnectionDraft> = {}): ConnectionDraft {
  return {
    id: null,
    name: 'Archive',
    baseUrl: `${server.origin}/`,
    auth: { kind: 'token' },
    links: 'auto',
    maxConcurrentRequests: 30,
    secret,
    ...changes,
  };
}

const tokensSeenBy = (server: RecordingServer) => [
  ...new Set(server.requests.map(({ headers }) => headers.authorization)),
];

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
    const { client } = open();
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
    const first = open({ choice: { kind: 'remote', baseUrl: near.origin, token: null } });
    const { connectionId } = await first.client.connection.save(draftOf(far));
    await first.client.connection.select({ connectionId });
    expect((await first.client.search.run({ query: {} })).rows[0]?.itemId).toBe('item-of-far');
    expect([tokensSeenBy(near), tokensSeenBy(far)]).toEqual([[undefined], [`Bearer ${secret}`]]);
    await first.close();

    const second = open({ env: { SWATH_TOKEN: 'from-the-environment' } });
    expect((await second.client.catalog.collections({})).collections[0]?.id).toBe('far');
    expect(tokensSeenBy(far).at(-1)).toBe('Bearer from-the-environment');
    expect(readdirSync(join(root, 'data')).filter((name) => /^library-.*sqlite$/.test(name))).toHaveLength(2);
  });

  it('finds the library of an address again, whether it was set up or is on the command line', async () => {
    const server = await serveCatalog('one');
    const first = open({ choice: { kind: 'remote', baseUrl: server.origin, token: null } });
    await first.client.search.run({ query: {} });
    const { connectionId } = await first.client.connection.save(
      draftOf(server, { auth: { kind: 'none' }, secret: null }),
    );
    await first.close();
    const second = open({ choice: { kind: 'saved', nameOrId: 'archive' } });
    const kept = await second.client.item.kept({ collectionId: 'one', itemId: 'item-of-one' });
    expect(kept?.row.itemId).toBe('item-of-one');
    expect(existsSync(join(root, 'data', `library-${connectionId}.sqlite`))).toBe(true);
  });

  it('opens only what is needed', async () => {
    const server = await serveCatalog('one');
    const { client, watchList } = open({ choice: { kind: 'remote', baseUrl: server.origin, token: null } });
    await client.connection.save(draftOf(server, { name: 'Another', baseUrl: 'https://catalog.example/' }));
    const seen = watchList();
    await vi.waitFor(() => expect(seen.list?.connections).toHaveLength(3));
    expect(seen.list?.connections.map(({ state }) => state === 'closed')).toEqual([true, true, false]);
    expect(readdirSync(join(root, 'data')).filter((name) => name.startsWith('demo'))).toEqual([]);
  });

  it('answers a search from the catalog that it was put to, whichever is in use by then', async () => {
    let letGo = (): void => undefined;
    const slow = await serveCatalog('slow', new Promise((resolve) => (letGo = resolve)));
    const quick = await serveCatalog('quick');
    const { client } = open({ choice: { kind: 'remote', baseUrl: slow.origin, token: null } });
    const answer = client.search.run({ query: {} });
    await vi.waitFor(() =>
      expect(slow.requests.some(({ target }) => target.startsWith('/search'))).toBe(true),
    );
    const { connectionId } = await client.connection.save(draftOf(quick));
    await client.connection.select({ connectionId });
    expect((await client.search.run({ query: {} })).rows[0]?.itemId).toBe('item-of-quick');
    letGo();
    expect((await answer).rows[0]?.itemId).toBe('item-of-slow');
    expect(await client.item.kept({ collectionId: 'slow', itemId: 'item-of-slow' })).toBeNull();
  });

  it('falls back to the demo catalog when the one in use is removed', async () => {
    const server = await serveCatalog('one');
    stored = {
      connectionId: 'a1',
      connections: [{ ...draftOf(server), id: 'a1', baseUrl: server.origin }],
    };
    const { client, watchList } = open();
    const seen = watchList();
    await vi.waitFor(() => expect(seen.list?.connections[1]).toMatchObject({ id: 'a1', isCurrent: true }));
    await client.connection.remove({ connectionId: 'a1' });
    await vi.waitFor(() =>
      expect(seen.list?.connections).toMatchObject([{ id: 'demo', isCurrent: true, name: 'Demo catalog' }]),
    );
    expect(stored).toMatchObject({ connections: [], connectionId: 'demo' });
    await expect(client.connection.select({ connectionId: 'a1' })).rejects.toMatchObject({
      code: 'connection.not-found',
    });
  });
});

describe('secrets', () => {
  it('are in no file, no log and no message to the window', async () => {
    const server = await serve(() => ({ status: 401, body: { detail: `${secret} is not valid` } }));
    const { client, close, watchList } = open({
      choice: { kind: 'remote', baseUrl: server.origin, token: null },
    });
    const { connectionId } = await client.connection.save(draftOf(server));
    const seen = watchList();
    await vi.waitFor(() =>
      expect(seen.list?.connections[1]).toMatchObject({ secretPlace: 'session', auth: { kind: 'token' } }),
    );
    await client.connection.select({ connectionId });
    await expect(client.catalog.collections({})).rejects.toMatchObject({ code: 'auth.required' });
    await client.connection.save(draftOf(server, { id: connectionId, name: 'Renamed', secret: null }));
    await close();
    expect(tokensSeenBy(server)).toContain(`Bearer ${secret}`);
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    for (const text of [...texts, ...crossed, JSON.stringify(stored)]) expect(text).not.toContain(secret);
  });

  it('go to nobody but the server that they were given for', async () => {
    const [own, other] = [await serveCatalog('own'), await serveCatalog('other')];
    const { client } = open({ choice: { kind: 'remote', baseUrl: own.origin, token: null } });
    const { connectionId } = await client.connection.save(draftOf(own));
    await client.connection.select({ connectionId });
    await client.catalog.collections({});
    await client.connection.save(draftOf(other, { id: connectionId, secret: null }));
    await expect(client.catalog.collections({})).rejects.toMatchObject({ code: 'auth.secret-missing' });
    expect(other.requests).toEqual([]);
    await client.connection.save(draftOf(own, { id: connectionId, secret: null }));
    await client.catalog.collections({});
    expect(tokensSeenBy(own)).toContain(`Bearer ${secret}`);
  });

  it.each([
    ['baseUrl', { baseUrl: 'http://catalog.example/stac' }],
    ['baseUrl', { baseUrl: 'catalog.example' }],
    ['baseUrl', { baseUrl: 'https://me:secret@catalog.example' }],
    ['secret', { secret: 'two words' }],
    ['name', { name: '  ' }],
    [
      'auth.clientId',
      { auth: { kind: 'oauth2', tokenUrl: 'https://a.example/', clientId: '', style: 'body' } },
    ],
  ] as [string, Partial<ConnectionDraft>][])(
    'refuses a wrong %s and says which field it is',
    async (field, changes) => {
      const { client } = open({ choice: { kind: 'remote', baseUrl: 'http://127.0.0.1:9', token: null } });
      await expect(
        client.connection.save(draftOf({ origin: 'https://catalog.example' }, changes)),
      ).rejects.toMatchObject({ code: 'input.invalid', details: { field } });
      expect(stored).toEqual({});
    },
  );

  it('can not be had by writing the settings past it', async () => {
    const { client } = open({ choice: { kind: 'remote', baseUrl: 'http://127.0.0.1:9', token: null } });
    const wish = { theme: 'dark', connections: [{ id: 'x' }], connectionId: 'x' } as { theme: 'dark' };
    expect(await client.settings.change(wish)).toMatchObject({ connections: [], connectionId: 'demo' });
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
    const { client, watchList } = open({ choice: elsewhere });
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
    await vi.waitFor(() => expect(seen.list?.connections).toHaveLength(3));
    expect([...crossed, JSON.stringify(stored)].join()).not.toMatch(new RegExp(`${secret}|fresh-token`));
  });

  it('is offered where the program has it, and its secret stays there', async () => {
    const { env } = await serveAccount();
    const { client, watchList } = open({ choice: elsewhere, env });
    const seen = watchList();
    await vi.waitFor(() => expect(seen.list?.hasEnvironment).toBe(true));
    const { connectionId } = await client.connection.importEnvironment({ text: null });
    await vi.waitFor(() =>
      expect(seen.list?.connections[1]).toMatchObject({ id: connectionId, secretPlace: 'environment' }),
    );
    await client.connection.select({ connectionId });
    expect((await client.catalog.collections({})).collections).toHaveLength(1);
  });

  it('is tried step by step before it is kept', async () => {
    const { env } = await serveAccount();
    const { client } = open({ choice: elsewhere });
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
    expect(stored).toEqual({});
    expect(crossed.join()).not.toContain(secret);
  });

  it('says what is missing in a file', async () => {
    const { client } = open({ choice: elsewhere });
    await expect(client.connection.importEnvironment({ text: 'EDS_SECRET=x' })).rejects.toMatchObject({
      code: 'input.invalid',
      details: { why: expect.stringContaining('EDS_CLIENT_ID') as string },
    });
  });
});

describe('the network', () => {
  it('keeps the login of a proxy apart from the settings, and says which proxy is in use', async () => {
    const { client } = open({ choice: { kind: 'remote', baseUrl: 'http://catalog.example', token: null } });
    const proxy = { mode: 'manual', address: `http://me:${secret}@127.0.0.1:9` } as const;
    await client.settings.changeNetwork({ proxy, extraCaFile: null });
    expect(stored).toMatchObject({ network: { proxy: { mode: 'manual', url: 'http://127.0.0.1:9' } } });
    expect((await client.settings.network({})).proxy).toBe('127.0.0.1:9');
    expect([...crossed, JSON.stringify(stored)].join()).not.toContain(secret);
    await expect(
      client.settings.changeNetwork({ proxy, extraCaFile: join(root, 'nowhere.pem') }),
    ).rejects.toMatchObject({ code: 'input.invalid', details: { field: 'extraCaFile' } });
  });
});

describe('a transfer', { timeout: 60_000 }, () => {
  it('goes on from its own catalog after a switch, and again when that is added anew', async () => {
    const demo = await serveDemo({
      dataDir: join(root, 'demo'),
      port: 0,
      itemCount: 60,
      clock: systemClock,
      token: secret,
    });
    onTestFinished(() => demo.close());
    const other = await serveCatalog('other');
    const { client } = open({ choice: { kind: 'remote', baseUrl: other.origin, token: null } });
    const draft = draftOf({ origin: demo.baseUrl });
    const { connectionId } = await client.connection.save(draft);
    await client.connection.select({ connectionId });
    const { rows } = await client.search.run({ query: { collections: ['sentinel-2-l2a'], limit: 1 } });
    const { collectionId = '', itemId = '' } = rows[0] ?? {};
    const order = { collectionId, itemId, destination: join(root, 'home'), links: 'auto' as const };
    const states = new Map<number, string>();
    const codes = new Map<number, string | undefined>();
    client.downloads.watch(
      {},
      {
        onEvent: ({ changed }) => {
          for (const one of changed) {
            states.set(one.transferId, one.state);
            codes.set(one.transferId, one.error?.code);
          }
        },
      },
    );
    const begin = async (assetKey: string): Promise<number> => {
      await client.downloads.start({ ...order, assetKeys: [assetKey] });
      await vi.waitFor(() => expect(states.size).toBeGreaterThan(0));
      const transferId = Math.max(...states.keys());
      await client.downloads.pause({ transferId });
      return transferId;
    };

    const first = await begin('thumbnail');
    await client.connection.select({ connectionId: idOfAddress(other.origin) });
    await client.downloads.resume({ transferId: first });
    await vi.waitFor(() => expect(states.get(first)).toBe('done'), { timeout: 20_000 });

    await client.connection.select({ connectionId });
    states.clear();
    const second = await begin('visual');
    if (states.get(second) === 'done') return;
    await client.connection.remove({ connectionId });
    await client.downloads.resume({ transferId: second });
    await vi.waitFor(() => expect(codes.get(second)).toBe('connection.not-found'), { timeout: 20_000 });
    expect(await client.connection.save(draft)).toEqual({ connectionId });
    await client.downloads.resume({ transferId: second });
    await vi.waitFor(() => expect(states.get(second)).toBe('done'), { timeout: 20_000 });
  });
});
