import { describe, expect, it } from 'vitest';
import { readFieldsObject, readFieldsText, selectFields } from './fields.ts';
import { toHttpError } from './http-error.ts';

const item = {
  type: 'Feature',
  stac_version: '1.0.0',
  stac_extensions: ['eo'],
  id: 'a',
  collection: 'c',
  geometry: { type: 'Point', coordinates: [1, 2] },
  bbox: [1, 2, 1, 2],
  properties: { datetime: 'd', 'eo:cloud_cover': 4, nested: { deep: 1, other: 2 }, 'a.b': 5 },
  links: [{ rel: 'self' }],
  assets: {
    visual: { href: 'v', title: 'V' },
    'ANG.txt': { href: 'ang' },
    'measurement/iw-vv.tiff': { href: 'vv' },
    measurement: { href: 'm', tiff: 'member' },
    'measurement.tiff': { href: 'dotted' },
    'Product download': { href: 'p' },
  },
};

function post(fields: unknown): unknown {
  return selectFields(item, readFieldsObject(fields));
}

function get(text: string): unknown {
  return selectFields(item, readFieldsText(text));
}

describe('include', () => {
  it.each<[string, unknown]>([
    ['id', { id: 'a' }],
    ['id,properties.datetime', { id: 'a', properties: { datetime: 'd' } }],
    ['properties', { properties: item.properties }],
    ['properties.eo:cloud_cover', { properties: { 'eo:cloud_cover': 4 } }],
    ['eo:cloud_cover', { properties: { 'eo:cloud_cover': 4 } }],
    ['properties.nested.deep', { properties: { nested: { deep: 1 } } }],
    ['properties.a.b', { properties: { 'a.b': 5 } }],
    ['geometry.type', { geometry: { type: 'Point' } }],
    ['assets.visual', { assets: { visual: item.assets.visual } }],
    ['assets.visual.href', { assets: { visual: { href: 'v' } } }],
    ['assets.ANG.txt', { assets: { 'ANG.txt': { href: 'ang' } } }],
    ['assets.ANG.txt.href', { assets: { 'ANG.txt': { href: 'ang' } } }],
    ['assets.measurement/iw-vv.tiff', { assets: { 'measurement/iw-vv.tiff': { href: 'vv' } } }],
    ['assets.measurement.tiff', { assets: { 'measurement.tiff': { href: 'dotted' } } }],
    ['assets.measurement.href', { assets: { measurement: { href: 'm' } } }],
    ["assets.'measurement/iw-vv.tiff'", { assets: { 'measurement/iw-vv.tiff': { href: 'vv' } } }],
    ["assets.'measurement/iw-vv.tiff'.href", { assets: { 'measurement/iw-vv.tiff': { href: 'vv' } } }],
    ['assets."ANG.txt"', { assets: { 'ANG.txt': { href: 'ang' } } }],
    ['assets.Product download', { assets: { 'Product download': { href: 'p' } } }],
    ['+id', { id: 'a' }],
    ['id,nothing.like.this,assets.none', { id: 'a' }],
    ['links', { links: item.links }],
  ])('%s keeps just that, with GET and with POST', (text, expected) => {
    expect(get(text)).toEqual(expected);
    expect(post({ include: text.split(',').map((path) => path.replace(/^\+/, '')) })).toEqual(expected);
  });
});

describe('exclude', () => {
  const { links: _links, geometry: _geometry, ...withoutLinksAndGeometry } = item;
  const { visual: _visual, 'ANG.txt': _ang, ...otherAssets } = item.assets;
  it.each<[string, unknown]>([
    ['links,geometry', withoutLinksAndGeometry],
    ['assets.visual,assets.ANG.txt', { ...item, assets: otherAssets }],
    ['properties.nested.deep', { ...item, properties: { ...item.properties, nested: { other: 2 } } }],
    ['nothing', item],
  ])('%s keeps everything else, with GET and with POST', (paths, expected) => {
    const list = paths.split(',');
    expect(get(list.map((path) => `-${path}`).join(','))).toEqual(expected);
    expect(post({ exclude: list })).toEqual(expected);
  });
});

describe('include and exclude together', () => {
  it('the more specific path wins', () => {
    expect(post({ include: ['assets'], exclude: ['assets.visual'] })).not.toHaveProperty([
      'assets',
      'visual',
    ]);
    expect(post({ include: ['properties.datetime'], exclude: ['properties'] })).toEqual({
      properties: { datetime: 'd' },
    });
  });

  it('include wins for the same path', () => {
    expect(get('id,-id')).toEqual({ id: 'a' });
  });
});

describe('an empty selection', () => {
  const defaults = { ...item, properties: { datetime: 'd' }, stac_extensions: undefined };
  it.each<[string, unknown]>([
    ['{}', {}],
    ['null', { include: null, exclude: null }],
    ['lists', { include: [], exclude: [] }],
  ])('of %s gives the default members', (_case, fields) => {
    expect(post(fields)).toEqual(defaults);
    expect(get('')).toEqual(defaults);
  });

  it('of include beside an exclude gives the default members without it', () => {
    expect(post({ include: [], exclude: ['geometry'] })).toEqual({ ...defaults, geometry: undefined });
    expect(post({ include: null, exclude: ['properties'] })).not.toHaveProperty('properties');
  });
});

describe('a malformed selection', () => {
  it.each([['id'], [['id']], [{ include: 'id' }], [{ exclude: [1] }]])('%o is refused with 400', (fields) => {
    const refuse = (): unknown => {
      try {
        return post(fields);
      } catch (error) {
        return toHttpError(error).status;
      }
    };
    expect(refuse()).toBe(400);
  });
});

it('leaves the item alone', () => {
  const before = structuredClone(item);
  post({ exclude: ['assets.visual.href', 'properties'] });
  expect(item).toEqual(before);
});
