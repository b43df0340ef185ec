import { describe, expect, it } from 'vitest';
import { findEnvironmentProxy, isBypassed } from './environment-proxy.ts';

const labelOf = (url: string, env: Record<string, string>) => findEnvironmentProxy(url, env)?.label ?? null;

describe('the proxy of the environment', () => {
  it.each([
    ['https://a.example/', { HTTPS_PROXY: 'http://secure:1' }, 'secure:1'],
    ['https://a.example/', { https_proxy: 'secure:1' }, 'secure:1'],
    ['https://a.example/', { HTTP_PROXY: 'http://plain:1' }, null],
    ['http://a.example/', { HTTP_PROXY: 'http://plain:1', HTTPS_PROXY: 'http://secure:1' }, 'plain:1'],
    ['http://a.example/', { http_proxy: 'http://small:1', HTTP_PROXY: 'http://big:1' }, 'small:1'],
    ['https://a.example/', { ALL_PROXY: 'socks5://all' }, 'all:1080'],
    ['https://a.example/', { ALL_PROXY: 'http://all:1', HTTPS_PROXY: 'http://secure' }, 'secure:80'],
    ['https://a.example/', { HTTPS_PROXY: '' }, null],
    ['https://a.example/', { HTTPS_PROXY: 'ftp://nonsense' }, null],
    ['https://a.example/', { HTTPS_PROXY: 'p:1', no_proxy: 'example' }, null],
    ['https://a.example/', {}, null],
  ])('for %s of %o is %s', (url, env, label) => {
    expect(labelOf(url, env)).toBe(label);
  });

  it('has its login decoded, and shows none of it', () => {
    const proxy = findEnvironmentProxy('https://a.example', { HTTPS_PROXY: 'http://me:p%40ss%@proxy:8' });
    expect(proxy).toMatchObject({ login: { user: 'me', password: 'p%40ss%' }, label: 'proxy:8' });
  });
});

it.each([
  ['a.example', '443', '*', true],
  ['a.example', '443', 'example', true],
  ['a.example', '443', '.example', true],
  ['a.example', '443', '*.example', true],
  ['a.example', '443', 'A.Example.', true],
  ['example', '443', '.example', true],
  ['notexample', '443', 'example', false],
  ['a.example', '443', 'a.example:443', true],
  ['a.example', '8443', 'a.example:443', false],
  ['a.example', '443', 'other, a.example', true],
  ['a.example', '443', 'other a.example', true],
  ['10.1.2.3', '80', '10.0.0.0/8', true],
  ['11.1.2.3', '80', '10.0.0.0/8', false],
  ['10.1.2.3', '80', '10.1.2.3', true],
  ['10.1.2.3', '80', '10.1.2.3:81', false],
  ['10.1.2.30', '80', '10.1.2.3', false],
  ['10.1.2.3', '80', '10.0.0.0/99', false],
  ['10.1.2.3', '80', '10.0.0.0/', false],
  ['[fd00::1]', '80', 'fd00::/8', true],
  ['[fd00::1]', '80', '[fd00::1]:80', true],
  ['[fd00::1]', '80', 'fe80::/10', false],
  ['10.example', '80', '10.0.0.0/8', false],
  ['a.example', '443', '', false],
])('%s:%s with NO_PROXY=%s: %s', (hostname, port, rules, expected) => {
  expect(isBypassed({ hostname, port }, rules)).toBe(expected);
});
