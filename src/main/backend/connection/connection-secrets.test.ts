import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConnectionDraft } from '#shared/connection/connection-settings.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { serve } from '../http/testing/serve.ts';
import { createConnectionSecrets } from './connection-secrets.ts';
import { createSessionSecrets } from './session-secrets.ts';
import { draftOf, secret, serveCatalog, tokensSeenBy, useDesk } from './testing/desk.ts';

const desk = useDesk();

it('asks the store once for a secret, until it is another one', async () => {
  const asked: string[] = [];
  const store = createSessionSecrets();
  const secrets = createConnectionSecrets({
    store: { ...store, get: (id) => (asked.push(id), store.get(id)) },
    env: {},
    start: null,
  });
  const connection = { id: 'a', baseUrl: 'https://a.example', auth: { kind: 'token' } } as const;
  await secrets.set(connection, 'first');
  expect(await secrets.find(connection)).toMatchObject({ value: 'first' });
  expect(await secrets.find(connection)).toMatchObject({ value: 'first' });
  expect(asked).toEqual(['a']);
  expect(await secrets.find({ ...connection, baseUrl: 'https://b.example' })).toBeNull();
  await secrets.set(connection, 'second');
  expect(await secrets.find(connection)).toMatchObject({ value: 'second' });
  await secrets.remove('a');
  expect(await secrets.find(connection)).toBeNull();
});

describe('secrets', () => {
  it('are in no file, no log and no message to the window', async () => {
    const server = await serve(() => ({ status: 401, body: { detail: `${secret} is not valid` } }));
    const { client, close, watchList } = desk.open({
      choice: { kind: 'remote', baseUrl: server.origin, token: null },
    });
    const { connectionId } = await client.connection.save(draftOf(server));
    const seen = watchList();
    await eventually(() =>
      expect(seen.list?.connections[1]).toMatchObject({ secretPlace: 'session', auth: { kind: 'token' } }),
    );
    await client.connection.select({ connectionId });
    await expect(client.catalog.collections({})).rejects.toMatchObject({ code: 'auth.required' });
    await client.connection.save(draftOf(server, { id: connectionId, name: 'Renamed', secret: null }));
    await close();
    expect(tokensSeenBy(server)).toContain(`Bearer ${secret}`);
    const files = readdirSync(desk.root, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    for (const text of [...texts, ...desk.crossed, JSON.stringify(desk.stored)])
      expect(text).not.toContain(secret);
  });

  it('go to nobody but the server that they were given for', async () => {
    const [own, other] = [await serveCatalog('own'), await serveCatalog('other')];
    const { client } = desk.open({ choice: { kind: 'remote', baseUrl: own.origin, token: null } });
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

  it('buy no token for a catalog elsewhere', async () => {
    const accounts = await serve(() => ({ body: { access_token: 'fresh-token', expires_in: 3600 } }));
    const [own, other] = [await serveCatalog('own'), await serveCatalog('other')];
    const { client } = desk.open({ choice: { kind: 'remote', baseUrl: own.origin, token: null } });
    const auth = { kind: 'oauth2', tokenUrl: accounts.origin, clientId: 'me', style: 'body' } as const;
    const { connectionId } = await client.connection.save(draftOf(own, { auth }));
    await client.connection.select({ connectionId });
    await client.catalog.collections({});
    expect(tokensSeenBy(own)).toContain('Bearer fresh-token');
    await client.connection.save(draftOf(other, { id: connectionId, auth, secret: null }));
    await expect(client.catalog.collections({})).rejects.toMatchObject({ code: 'auth.secret-missing' });
    expect(other.requests).toEqual([]);
  });

  it('of the environment go to the catalog in use at the start alone', async () => {
    const [own, other] = [await serveCatalog('own'), await serveCatalog('other')];
    desk.stored = {
      connectionId: 'a1',
      connections: [{ ...draftOf(own), id: 'a1', baseUrl: own.origin }],
    };
    const env = { SWATH_TOKEN: secret };
    const first = desk.open({ choice: { kind: 'remote', baseUrl: other.origin, token: secret }, env });
    await first.client.connection.select({ connectionId: 'a1' });
    const refused = { code: 'auth.secret-missing' };
    await expect(first.client.catalog.collections({})).rejects.toMatchObject(refused);
    expect(own.requests).toEqual([]);
    await first.close();

    const second = desk.open({ env });
    await second.client.catalog.collections({});
    expect(tokensSeenBy(own)).toEqual([`Bearer ${secret}`]);
    const seenBefore = other.requests.length;
    await second.client.connection.save(draftOf(other, { id: 'a1', secret: null }));
    await expect(second.client.catalog.collections({})).rejects.toMatchObject(refused);
    expect(other.requests).toHaveLength(seenBefore);
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
      const { client } = desk.open({
        choice: { kind: 'remote', baseUrl: 'http://127.0.0.1:9', token: null },
      });
      await expect(
        client.connection.save(draftOf({ origin: 'https://catalog.example' }, changes)),
      ).rejects.toMatchObject({ code: 'input.invalid', details: { field } });
      expect(desk.stored).toEqual({});
    },
  );

  it('can not be had by writing the settings past it', async () => {
    const { client } = desk.open({ choice: { kind: 'remote', baseUrl: 'http://127.0.0.1:9', token: null } });
    const wish = { theme: 'dark', connections: [{ id: 'x' }], connectionId: 'x' } as { theme: 'dark' };
    expect(await client.settings.change(wish)).toMatchObject({ connections: [], connectionId: 'demo' });
  });
});
