import { describe, expect, it } from 'vitest';
import { bandNamesOf, bandsOf } from './asset-bands.ts';
import { storageOf } from './asset-storage.ts';

describe('bandsOf', () => {
  it('joins eo:bands and raster:bands of STAC 1.0, which are the same bands', () => {
    const raw = {
      gsd: 20,
      'eo:bands': [{ name: 'B04', common_name: 'red', center_wavelength: 0.665, full_width_half_max: 0.038 }],
      'raster:bands': [
        { spatial_resolution: 10, data_type: 'uint16', nodata: 0, scale: 0.0001, offset: -0.1 },
      ],
    };
    expect(bandsOf({ raw })).toEqual([
      {
        name: 'B04',
        commonName: 'red',
        description: null,
        centerWavelengthUm: 0.665,
        widthUm: 0.038,
        resolutionM: 10,
        dataType: 'uint16',
        nodata: '0',
        unit: null,
        scale: 0.0001,
        offset: -0.1,
      },
    ]);
  });

  it('reads bands of STAC 1.1 with what the asset says of all of them', () => {
    const raw = {
      name: 'not a band',
      gsd: 10,
      data_type: 'uint16',
      bands: [
        { name: 'B08', 'eo:common_name': 'nir' },
        { name: 'B11', gsd: 20 },
      ],
    };
    const bands = bandsOf({ raw });
    expect(
      bands.map(({ name, commonName, resolutionM, dataType }) => [name, commonName, resolutionM, dataType]),
    ).toEqual([
      ['B08', 'nir', 10, 'uint16'],
      ['B11', null, 20, 'uint16'],
    ]);
    expect(bandNamesOf({ raw })).toEqual(['nir', 'B11']);
  });

  it('takes malformed bands for none', () => {
    expect(bandsOf({ raw: { 'eo:bands': [0, 'red', null], bands: 'B04', 'raster:bands': {} } })).toEqual([]);
    expect(bandsOf({ raw: { 'eo:bands': [{ name: 4, center_wavelength: 'red' }] } })).toMatchObject([
      { name: null, centerWavelengthUm: null },
    ]);
  });
});

describe('storageOf', () => {
  const asset = (raw: Record<string, unknown>) => ({ raw });

  it('reads the flat fields of version 1, of the asset before those of the item', () => {
    const item = { id: 'a', properties: { 'storage:platform': 'AWS', 'storage:region': 'us-west-2' } };
    expect(storageOf(asset({ 'storage:region': 'eu-west-1', 'storage:requester_pays': true }), item)).toEqual(
      [{ platform: 'AWS', region: 'eu-west-1', isRequesterPays: true, tier: null }],
    );
    expect(storageOf(asset({}), { id: 'a' })).toEqual([]);
  });

  it('follows the references of version 2', () => {
    const item = {
      id: 'a',
      properties: {
        'storage:schemes': {
          aws: {
            type: 'aws-s3',
            platform: 'https://{bucket}.s3.{region}.amazonaws.com',
            bucket: 'b',
            region: 'r',
          },
        },
      },
    };
    expect(storageOf(asset({ 'storage:refs': ['aws', 'gone', 'toString'] }), item)).toEqual([
      { platform: 'https://b.s3.r.amazonaws.com', region: 'r', isRequesterPays: null, tier: null },
    ]);
  });
});
