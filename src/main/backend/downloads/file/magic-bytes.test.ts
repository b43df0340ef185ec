import { describe, expect, it } from 'vitest';
import { findWrongContent } from './magic-bytes.ts';

const hex = (text: string) => Buffer.concat([Buffer.from(text, 'hex'), Buffer.alloc(64, 7)]);
const page = Buffer.from('\n<!DOCTYPE html><title>Sign in</title>');
const geotiff = 'image/tiff; application=geotiff; profile=cloud-optimized';

describe('findWrongContent', () => {
  it.each([
    ['little-endian TIFF', geotiff, '49492a00'],
    ['big-endian TIFF', geotiff, '4d4d002a'],
    ['BigTIFF', geotiff, '49492b00'],
    ['JPEG 2000', 'image/jp2', '0000000c6a5020200d0a870a'],
    ['a bare codestream', 'image/jp2', 'ff4fff51'],
    ['PNG', 'image/png', '89504e470d0a1a0a'],
    ['JPEG', 'image/jpeg', 'ffd8ffe0'],
    ['ZIP', 'application/zip', '504b0304'],
    ['HDF5', 'application/x-hdf5', '894844460d0a1a0a'],
    ['netCDF 4, which is HDF5', 'application/netcdf', '894844460d0a1a0a'],
    ['netCDF classic', 'application/x-netcdf', '43444601'],
    ['another picture than announced', geotiff, '0000000c6a5020200d0a870a'],
  ])('lets %s pass', (_, mediaType, signature) => {
    expect(findWrongContent(hex(signature), { mediaType, fileName: 'x' })).toBeNull();
  });

  it.each([
    ['a sign-in page', geotiff, 'B04.tif', page],
    ['an S3 error', 'application/octet-stream', 'B04.tif', Buffer.from('<?xml version="1.0"?><Error>')],
    ['a JSON error', null, 'B04.jp2', Buffer.from('{"code":"AccessDenied"}')],
    ['zeros', geotiff, 'B04.tif', Buffer.alloc(100)],
    ['nothing', geotiff, 'B04.tif', Buffer.alloc(0)],
    ['a page as HDF5', 'application/x-hdf5', 'a.h5', page],
  ])('refuses %s', (_, mediaType, fileName, head) => {
    expect(findWrongContent(head, { mediaType, fileName })).not.toBeNull();
  });

  it.each([
    ['text/html', 'a.html'],
    ['application/json', 'granule.json'],
    ['application/xml', 'mtd.xml'],
    [null, 'README'],
  ])('leaves %s %s alone', (mediaType, fileName) => {
    expect(findWrongContent(page, { mediaType, fileName })).toBeNull();
  });
});
