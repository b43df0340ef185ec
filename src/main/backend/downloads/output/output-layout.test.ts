import { describe, expect, it } from 'vitest';
import { assetsOf } from '#shared/stac/asset.ts';
import { fileNameOf, foldersOf } from './output-layout.ts';

function assetOf(key: string, raw: Record<string, unknown>) {
  const [asset] = assetsOf({ id: 'x', assets: { [key]: raw } });
  if (asset === undefined) throw new Error('The asset has no href');
  return asset;
}

describe('fileNameOf', () => {
  it.each([
    ['the href', 'B04', { href: 'https://host.example/a/b/B04.tif' }, 'B04.tif'],
    ['an href with a query', 'B04', { href: 'https://host.example/B04.tif?sig=x/y.png#z' }, 'B04.tif'],
    ['an encoded href', 'B04', { href: 'https://host.example/my%20scene.tif' }, 'my scene.tif'],
    ['a badly encoded href', 'B04', { href: 'https://host.example/100%.tif' }, '100_.tif'],
    ['an s3 href', 'B04', { href: 's3://bucket/tiles/B04.jp2' }, 'B04.jp2'],
    [
      'a local path',
      'B04',
      { href: 'https://host.example/d', 'file:local_path': 'IMG/B04_10m.jp2' },
      'B04_10m.jp2',
    ],
    [
      'a local path out of the folder',
      'B04',
      { href: 'https://h.example/d', 'file:local_path': '../../x.tif' },
      'x.tif',
    ],
    ['a Windows path', 'B04', { href: 'https://h.example/d', 'file:local_path': 'C:\\a\\x.tif' }, 'x.tif'],
    [
      'the key and the type',
      'visual',
      { href: 'https://host.example/$value', type: 'image/tiff; a=b' },
      'visual.tif',
    ],
    [
      'a key that is a path',
      'preview/B01.jp2',
      { href: 'https://h.example/$value', type: 'image/jp2' },
      'preview_B01.jp2',
    ],
    ['a key and no type', 'data', { href: 'https://host.example/' }, 'data'],
    ['a name without extension or type', 'x', { href: 'https://host.example/README' }, 'README'],
    ['dots', 'x', { href: 'https://host.example/%2e%2e' }, 'x'],
  ])('takes %s', (_, key, raw, name) => {
    expect(fileNameOf(assetOf(key, raw))).toBe(name);
  });
});

describe('foldersOf', () => {
  const ref = { collectionId: 'sentinel-2-l2a', itemId: 'S2A_1' };

  it('sorts by collection, year and item', () => {
    const item = { id: 'S2A_1', properties: { datetime: '2024-12-31T23:59:59.999999Z' } };
    expect(foldersOf(ref, item)).toEqual({ collection: 'sentinel-2-l2a', year: '2024', item: 'S2A_1' });
  });

  it('takes the start of a span, and says where there is no time', () => {
    const span = {
      datetime: null,
      start_datetime: '2023-01-01T00:00:00Z',
      end_datetime: '2024-01-01T00:00:00Z',
    };
    expect(foldersOf(ref, { id: 'x', properties: span }).year).toBe('2023');
    expect(foldersOf(ref, { id: 'x' }).year).toBe('undated');
  });

  it('makes ids from outside into names', () => {
    const { collection, item } = foldersOf({ collectionId: '../..', itemId: 'a/b' }, { id: 'x' });
    expect(collection).not.toContain('..');
    expect(item).toMatch(/^a_b~[0-9a-f]{8}$/);
  });
});
