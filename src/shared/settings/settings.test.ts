import { expect, it } from 'vitest';
import { defaultSettings, readSettings } from './settings.ts';

it('leaves out the catalogs that can not be read, and none beside them', () => {
  const catalog = {
    id: 'a1',
    name: 'Archive',
    baseUrl: 'https://catalog.example/stac/',
    auth: { kind: 'none' },
    links: 'auto',
    maxConcurrentRequests: 30,
  };
  const connections = [
    { ...catalog, id: '../../etc' },
    { ...catalog, id: 'demo' },
    { ...catalog, id: 'a2', maxConcurrentRequests: 31 },
    { ...catalog, id: 'a3', baseUrl: 'https://me:secret@catalog.example' },
    null,
    catalog,
    { ...catalog, name: 'Twin' },
  ];
  expect(readSettings({ connections, theme: 'dark' })).toEqual({
    ...defaultSettings,
    theme: 'dark',
    connections: [{ ...catalog, baseUrl: 'https://catalog.example/stac' }],
  });
});

it('falls back to the default for a malformed setting alone', () => {
  expect(readSettings({ theme: 'dark', maxConcurrentTransfers: 'many', unknown: 1 })).toEqual({
    ...defaultSettings,
    theme: 'dark',
  });
  expect(readSettings('not an object')).toEqual(defaultSettings);
  const inherited = JSON.parse('{"constructor": 1, "__proto__": {"theme": "dark"}}') as unknown;
  expect(Object.keys(readSettings(inherited))).toEqual(Object.keys(defaultSettings));
});
