import { describe, expect, it } from 'vitest';
import type { StacItem } from '#shared/stac/item.ts';
import {
  addLinks,
  newLocalCatalog,
  titleOf,
  toLocalCollection,
  toLocalItem,
  type LocalFile,
} from './local-catalog.ts';

const ref = { collectionId: 's2', itemId: 'scene' };
const nothing = new Map<string, LocalFile>();

function item(members: Record<string, unknown>): StacItem {
  const base = {
    type: 'Feature',
    id: 'scene',
    collection: 's2',
    stac_version: '1.1.0',
    links: [],
    assets: {},
  };
  return { ...base, properties: { datetime: '2024-05-06T10:20:30Z' }, ...members };
}

describe('an Item as it lies in a folder is valid by the STAC schemas', () => {
  it('has a bbox if and only if it has a geometry', () => {
    const geometry = { type: 'Point', coordinates: [9, 47] };
    expect(toLocalItem(item({ geometry }), ref, nothing)).toMatchObject({ geometry, bbox: [9, 47, 9, 47] });
    const without = toLocalItem(item({ geometry: null, bbox: [9, 47, 9, 47] }), ref, nothing);
    expect(without['geometry']).toBeNull();
    expect(without).not.toHaveProperty('bbox');
  });

  it('has none of the nulls that its server writes down, but for those that mean something', () => {
    const local = toLocalItem(
      item({
        stac_extensions: null,
        properties: { start_datetime: 'a', end_datetime: 'b', platform: null, 'proj:epsg': null },
        links: [{ rel: 'license', href: 'https://host.example/l', title: null, type: null }],
        assets: { B04: { href: 'https://host.example/b', type: null, roles: null, title: 'Red' }, none: {} },
      }),
      ref,
      nothing,
    );
    expect(local).not.toHaveProperty('stac_extensions');
    expect(local['properties']).toEqual({
      datetime: null,
      start_datetime: 'a',
      end_datetime: 'b',
      'proj:epsg': null,
    });
    expect(local['links']).toContainEqual({ rel: 'license', href: 'https://host.example/l' });
    expect(local['assets']).toEqual({ B04: { href: 'https://host.example/b', title: 'Red' } });
  });
});

describe('what an address carries of a permission', () => {
  const secret = 'SECRET';
  const addresses = [
    `https://host.example/b.tif?token=${secret}&level=2`,
    `https://host.example/b.tif?API_KEY=${secret}`,
    `https://me:${secret}@host.example/b.tif`,
    `https://host.example/b.tif?X-Amz-Credential=${secret}&X-Amz-Signature=${secret}`,
  ];

  it('is in no file, wherever the address stands', () => {
    const [href = '', ...others] = addresses;
    const alternate = Object.fromEntries(others.map((address, index) => [index, { href: address }]));
    const members = {
      assets: { B04: { href, alternate } },
      links: [{ rel: 'license', href }],
      properties: { datetime: null, source: others },
    };
    const local = toLocalItem(item(members), ref, nothing);
    expect(JSON.stringify(local)).not.toContain(secret);
    expect(local.assets['B04']).toMatchObject({
      href: 'https://host.example/b.tif?level=2',
      alternate: { 0: { href: 'https://host.example/b.tif' } },
    });
    const collection = toLocalCollection({ id: 's2', ...members }, ref, item({}));
    expect(JSON.stringify(collection)).not.toContain(secret);
  });

  it('is all that an address loses', () => {
    const plain = 'https://host.example/b.tif?level=2&Name=%20a+b#top';
    const local = toLocalItem(item({ assets: { B04: { href: plain } } }), ref, nothing);
    expect(local.assets['B04']).toEqual({ href: plain });
  });
});

describe('a relative href of the source', () => {
  const self = { rel: 'self', href: 'https://user:pass@host.example/s2/items/scene.json?token=abc' };
  const links = [self, { rel: 'license', href: '../license.html' }, { rel: 'icon', href: '//cdn.example/i' }];
  const assets = { B04: { href: './B04.tif' }, B05: { href: './B05.tif' }, B06: { href: 's3://bucket/B06' } };

  it('leads to the source wherever it is not here', () => {
    const local = toLocalItem(
      item({ links, assets }),
      ref,
      new Map([['B04', { file: 'B04.tif', bytes: 5, checksum: '1220aa' }]]),
    );
    expect(local['assets']).toEqual({
      B04: { href: './B04.tif' },
      B05: { href: 'https://host.example/s2/items/B05.tif' },
      B06: { href: 's3://bucket/B06' },
    });
    expect(local['links']).toContainEqual({ rel: 'license', href: 'https://host.example/s2/license.html' });
    expect(local['links']).toContainEqual({ rel: 'icon', href: 'https://cdn.example/i' });
  });

  it('does so in a Collection as well', () => {
    const local = toLocalCollection({ id: 's2', links, assets }, ref, item({}));
    expect(local['assets']).toMatchObject({ B04: { href: 'https://host.example/s2/items/B04.tif' } });
    expect(local['links']).toContainEqual({ rel: 'license', href: 'https://host.example/s2/license.html' });
  });

  it('has size and checksum of the file that is here, and says neither where the catalog does not', () => {
    const announced = { 'file:size': 9, 'file:checksum': '1220bb' };
    const both = { B04: { href: './B04.tif', ...announced }, B05: { href: './B05.tif' } };
    const file = { bytes: 5, checksum: '1220aa' };
    const files = new Map([
      ['B04', { ...file, file: 'B04.tif' }],
      ['B05', { ...file, file: 'B05.tif' }],
    ]);
    expect(toLocalItem(item({ assets: both }), ref, files)['assets']).toEqual({
      B04: { href: './B04.tif', 'file:size': 5, 'file:checksum': '1220aa' },
      B05: { href: './B05.tif' },
    });
    const proved = new Map([['B04', { ...file, file: 'B04.tif', announced: 'd50110cc' }]]);
    expect(toLocalItem(item({ assets: both }), ref, proved)).toMatchObject({
      assets: { B04: { 'file:checksum': 'd50110cc' } },
    });
  });

  it('stays as it came where nobody says what it is relative to', () => {
    expect(toLocalItem(item({ assets }), ref, nothing)['assets']).toEqual(assets);
  });
});

it('begins a Collection that its catalog does not tell with a time in UTC', () => {
  const local = toLocalCollection(null, ref, item({ properties: { datetime: '2024-05-06T12:20:30+02:00' } }));
  expect(local['extent']).toMatchObject({
    temporal: { interval: [['2024-05-06T10:20:30Z', null]] },
  });
});

it('calls each Collection by its title in the links that lead to it, or else by its id', () => {
  const catalog = addLinks(newLocalCatalog(), 'child', [
    { href: './s2/collection.json', title: titleOf({ id: 's2', title: 'Sentinel-2' }, ref) },
    { href: './s1/collection.json', title: titleOf({ id: 's1', title: null }, { collectionId: 's1' }) },
  ]);
  expect(catalog['links']).toMatchObject([{ rel: 'root' }, { title: 'Sentinel-2' }, { title: 's1' }]);
  expect(addLinks(catalog, 'child', [{ href: './s1/collection.json', title: 'other' }])).toBe(catalog);
});
