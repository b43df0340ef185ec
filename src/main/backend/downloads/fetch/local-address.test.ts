import { expect, it } from 'vitest';
import { isLocalAddress } from './local-address.ts';

it.each([
  'https://localhost/a',
  'https://localhost./a',
  'https://files.localhost/a',
  'https://127.9.9.9/a',
  'https://127.1/a',
  'https://0.0.0.0/a',
  'https://10.1.2.3/a',
  'https://169.254.169.254/latest/meta-data',
  'https://192.168.0.1./a',
  'https://[::]/a',
  'https://[::1]/a',
  'https://[::ffff:10.0.0.1]/a',
  'https://[fd00::1]/a',
  'https://[fe80::1]/a',
  'https://[fec0::1]/a',
])('%s leads inwards', (url) => {
  expect(isLocalAddress(url)).toBe(true);
});

it.each([
  'https://storage.example./a',
  'https://localhost.example/a',
  'https://8.8.8.8/a',
  'https://[2001:db8::1]/a',
])('%s does not', (url) => {
  expect(isLocalAddress(url)).toBe(false);
});
