import { expect, it } from 'vitest';
import type { Catalogs } from './catalogs.ts';
import { tellsOfNetwork } from './probe-catalog.ts';

it.each([
  ['https://catalog.example/v1', true],
  ['http://127.0.0.1:8080', false],
  ['http://localhost:8080', false],
  [null, false],
])('a catalog at %s tells of the network: %s', (baseUrl, tells) => {
  const catalogs = { list: () => [{ id: 'one', baseUrl }] } as unknown as Catalogs;
  expect(tellsOfNetwork('one', catalogs)).toBe(tells);
});

it('a catalog that was removed tells nothing', () => {
  expect(tellsOfNetwork('gone', { list: () => [] })).toBe(false);
});
