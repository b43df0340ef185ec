import { expect, it } from 'vitest';
import { assetsOf } from './asset.ts';
import { summariseAssets, thumbnailAsset } from './thumbnail.ts';

const href = 'https://a.example/picture';

it.each([
  ['no assets', {}],
  ['assets that are none', []],
  ['an entry without an address', { thumbnail: { type: 'image/png' }, visual: { href, type: 'image/tiff' } }],
  ['a role', { any: { href, type: 'image/png', roles: ['overview'] } }],
  ['a role that is no text', { any: { href, type: 'image/png', roles: [1, null] } }],
  ['a key', { Rendered_Preview: { href: `${href}.PNG` } }],
  ['a role without a type', { any: { href, roles: ['thumbnail'] } }],
  ['a picture of another kind', { thumbnail: { href, type: 'image/tiff', roles: ['thumbnail'] } }],
  ['a picture that is not shown', { visual: { href, type: 'image/png', roles: ['data'] } }],
  ['one after others', { b1: { href }, b2: { href, roles: ['data'] }, preview: { href: `${href}.jpg` } }],
])('knows of an item with %s what reading all its assets would tell', (_name, assets) => {
  const item = { id: 'a', assets };
  expect(summariseAssets(item)).toEqual({
    assetCount: assetsOf(item).length,
    hasThumbnail: thumbnailAsset(item) !== null,
  });
});
