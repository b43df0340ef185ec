import { describe, expect, it } from 'vitest';
import { gdalPath } from './gdal-path.ts';

describe('gdalPath', () => {
  it.each([
    ['https://example.test/a/B04.tif', '/vsicurl/https://example.test/a/B04.tif'],
    ['HTTP://example.test/a.tif', '/vsicurl/HTTP://example.test/a.tif'],
    ['s3://bucket/a/b c.tif', '/vsis3/bucket/a/b c.tif'],
    ['gs://bucket/a.tif', '/vsigs/bucket/a.tif'],
    ['az://container/a.tif', '/vsiaz/container/a.tif'],
    ['abfs://container@account.dfs.core.windows.net/x/a.parquet', '/vsiaz/container/x/a.parquet'],
    ['abfs://container/x/a.parquet', '/vsiaz/container/x/a.parquet'],
    ['https://example.test/S2B.SAFE.zip', '/vsizip//vsicurl/https://example.test/S2B.SAFE.zip'],
    ['s3://bucket/scene.ZIP', '/vsizip//vsis3/bucket/scene.ZIP'],
    ['s3://bucket/scene.tar.gz', '/vsitar//vsis3/bucket/scene.tar.gz'],
    ['s3://bucket/dem.tif.gz', '/vsigzip//vsis3/bucket/dem.tif.gz'],
    ['https://example.test/get?file=a.zip', '/vsicurl/https://example.test/get?file=a.zip'],
    ['file:///data/a%20b.tif', '/data/a b.tif'],
    ['file:///C:/data/a.tif', 'C:/data/a.tif'],
  ])('%s', (href, path) => {
    expect(gdalPath(href)).toBe(path);
  });

  it.each([
    './a.tif',
    'a.tif',
    '',
    'ftp://example.test/a.tif',
    'constructor://bucket/a.tif',
    's3:///no-bucket',
    'file:///%E0%A4',
  ])('has none for "%s"', (href) => {
    expect(gdalPath(href)).toBeNull();
  });
});
