import { expect, it } from 'vitest';
import { isDirectory } from './asset-availability.ts';

it.each([
  ['s3://bucket/tiles/', null, true],
  ['s3://bucket/tiles', 'inode/directory', true],
  ['https://host.example/tiles/?version=1', null, true],
  ['https://host.example/a.tif?path=/', null, false],
])('%s of type %s is a folder: %s', (href, mediaType, is) => {
  expect(isDirectory({ href, mediaType })).toBe(is);
});
