import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SharingSettings } from '#shared/settings/sharing-settings.ts';
import type { Catalogs } from '../connection/catalogs.ts';
import { createSessionSecrets } from '../connection/session-secrets.ts';
import { silentLogger, systemClock, type SecretStore } from '../ports.ts';
import { createSettingsHolder, type SettingsHolder } from '../settings/settings-holder.ts';
import { createSharing, type Sharing } from './sharing.ts';

let stored: Record<string, unknown>;
let settings: SettingsHolder;
let store: SecretStore;
let opened: Sharing[];

beforeEach(() => {
  [stored, opened] = [{}, []];
  store = createSessionSecrets();
});
afterEach(async () => {
  for (const sharing of opened) await sharing.close();
});

/** A start of the program, over the settings and secrets of the last one. */
function open(): Sharing {
  settings = createSettingsHolder({ read: () => stored, write: (written) => (stored = { ...written }) });
  const library = { collections: () => null, unlistedCollectionIds: () => [] };
  const current = { id: 'demo', library };
  const catalogs = { current, open: () => current, list: () => [] } as unknown as Catalogs;
  const downloadFolders = { list: () => [], note: () => undefined };
  const parts = { catalogs, settings, store, downloadFolders, clock: systemClock, logger: silentLogger };
  const sharing = createSharing(parts);
  opened.push(sharing);
  return sharing;
}

const wish = { port: 0, reach: 'computer', needsToken: true, connectionId: null } as const;

async function ask(sharing: Sharing, token: string): Promise<number> {
  const { baseUrl } = sharing.status;
  return (await fetch(baseUrl ?? '', { headers: { authorization: `Bearer ${token}` } })).status;
}

function until(sharing: Sharing, state: string): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (sharing.status.state === state) resolve();
    };
    sharing.onChange(check);
    check();
  });
}

it('goes on with the next start where it was, with the same token', async () => {
  const first = open();
  await first.start(wish);
  const { value } = await first.token.read();
  const { baseUrl } = first.status;
  expect(await ask(first, value)).toBe(200);
  expect(first.status.requestCount).toBe(1);
  await first.close();
  const next = open();
  await until(next, 'on');
  expect(next.status.baseUrl).toBe(baseUrl);
  expect(await ask(next, value)).toBe(200);
  expect(JSON.stringify(stored)).not.toContain(value);
  await next.stop();
  await expect(ask(next, value)).rejects.toThrow();
  expect(open().status.state).toBe('off');
});

it('lets others on the network in only when it is switched on by hand', () => {
  stored = { sharing: { ...wish, reach: 'network', isOn: true } satisfies SharingSettings };
  expect(open().status.state).toBe('off');
});

it('locks out who has the old token', async () => {
  const sharing = open();
  await sharing.start(wish);
  const { value: old } = await sharing.token.read();
  await sharing.renewToken();
  const { value } = await sharing.token.read();
  expect([await ask(sharing, old), await ask(sharing, value)]).toEqual([401, 200]);
});

it('says that the port is taken, and stays off', async () => {
  const other: Server = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const sharing = open();
  await expect(sharing.start({ ...wish, port })).rejects.toMatchObject({ details: { field: 'port' } });
  expect(sharing.status.state).toBe('off');
  stored = { sharing: { ...wish, port, isOn: true } satisfies SharingSettings };
  const next = open();
  await new Promise<void>((resolve) => {
    next.onChange(() => next.status.problem && resolve());
  });
  expect(next.status).toMatchObject({ state: 'off', problem: { code: 'input.invalid' } });
  other.close();
});
