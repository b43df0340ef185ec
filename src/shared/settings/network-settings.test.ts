import { describe, expect, it } from 'vitest';
import { defaultNetworkSettings, networkSettingsSchema, splitProxyLogin } from './network-settings.ts';

describe('network settings', () => {
  it('take the default, and a manual proxy of each kind', () => {
    expect(networkSettingsSchema.parse(defaultNetworkSettings)).toEqual(defaultNetworkSettings);
    for (const url of [
      'http://proxy:3128',
      'https://proxy.example',
      'socks5://10.0.0.1:1080',
      'http://[::1]:80/',
    ]) {
      expect(
        networkSettingsSchema.safeParse({ proxy: { mode: 'manual', url }, extraCaFile: null }).success,
      ).toBe(true);
    }
  });

  it.each([
    '',
    'proxy:3128',
    'ftp://proxy',
    'http://me:pass@proxy:3128',
    'http://me@proxy',
    'http://proxy/path',
    null,
  ])('refuse %s as a manual proxy', (url) => {
    expect(
      networkSettingsSchema.safeParse({ proxy: { mode: 'manual', url }, extraCaFile: null }).success,
    ).toBe(false);
  });
});

it.each([
  ['http://proxy:3128', 'http://proxy:3128', null],
  ['proxy:3128', 'http://proxy:3128', null],
  [' http://me:p%40ss@proxy:3128/ ', 'http://proxy:3128', 'me:p@ss'],
  ['me:pass@proxy:3128', 'http://proxy:3128', 'me:pass'],
  ['socks5://me@proxy:1080', 'socks5://proxy:1080', 'me:'],
  ['http://@proxy:3128', 'http://proxy:3128', ''],
  [':@proxy:3128', 'http://proxy:3128', ''],
  ['http://me:pass@pro xy', 'http://pro xy', null],
])('%s is split into address and login', (typed, url, login) => {
  expect(splitProxyLogin(typed)).toEqual({ url, login });
});
