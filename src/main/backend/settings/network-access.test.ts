import { expect, it } from 'vitest';
import type { SecretStore } from '../ports.ts';
import { makePorts } from '../testing/make-ports.ts';
import { createSessionSecrets } from '../connection/session-secrets.ts';
import { createNetworkAccess } from './network-access.ts';
import { createSettingsHolder } from './settings-holder.ts';

function open(store: SecretStore) {
  const settings = createSettingsHolder({ read: () => ({}), write: () => undefined });
  const access = createNetworkAccess({ ports: makePorts('.'), settings, store });
  const change = (address: string) =>
    access.change({ proxy: { mode: 'manual', address }, extraCaFile: null });
  return { access, settings, change };
}

it('keeps the login of a proxy until an empty one is given', async () => {
  const store = createSessionSecrets();
  const { change, settings } = open(store);
  await change('http://me:pass@proxy.example:3128');
  await change('http://proxy.example:3128');
  expect((await store.get('proxy'))?.value).toContain('me:pass');
  await change('http://@proxy.example:3128');
  expect(await store.get('proxy')).toBeNull();
  expect(settings.current.network.proxy.url).toBe('http://proxy.example:3128');
});

it('stays as it was when the login can’t be kept, and keeps none of an unusable proxy', async () => {
  const store = createSessionSecrets();
  const broken = open({ ...store, set: () => Promise.reject(new Error('locked')) });
  await expect(broken.change('http://me:pass@proxy.example:3128')).rejects.toThrow('locked');
  expect(broken.settings.current.network.proxy.mode).toBe('system');
  expect(await broken.access.proxyTo('http://catalog.example')).toBeNull();
  await expect(open(store).change('ftp://me:pass@proxy.example')).rejects.toMatchObject({
    code: 'input.invalid',
  });
  expect(await store.get('proxy')).toBeNull();
});

it('goes by the last of several changes, though an earlier one takes longer', async () => {
  const store = createSessionSecrets();
  const kept = Promise.withResolvers<null>();
  const { access, change, settings } = open({
    ...store,
    set: async (...secret) => {
      await kept.promise;
      await store.set(...secret);
    },
  });
  const first = change('http://me:pass@first.example:3128');
  const second = change('http://second.example:3128');
  await new Promise((resolve) => setImmediate(resolve));
  kept.resolve(null);
  await Promise.all([first, second]);
  expect(settings.current.network.proxy.url).toBe('http://second.example:3128');
  expect(await access.proxyTo('http://catalog.example')).toBe('second.example:3128');
});
