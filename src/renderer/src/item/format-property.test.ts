import { describe, expect, it } from 'vitest';
import { describeTotal, describeChoice, explainUnavailable } from './asset-words.ts';
import { describeProperties } from './format-property.ts';
import { describeMediaType } from '../format/media-type-words.ts';

describe('describeProperties', () => {
  const { prominent, all } = describeProperties({
    'x:own': { a: 1 },
    'view:sun_elevation': 61.8251,
    'eo:cloud_cover': 4.234,
    datetime: '2026-07-14T10:40:31.123456Z',
    'proj:epsg': 32631,
    'proj:code': 'EPSG:32631',
    'proj:shape': [10980, 10980],
    'sat:relative_orbit': 1008,
    'sar:polarizations': ['VV', 'VH'],
    'eda:ag_cloud_mask_available': true,
    platform: 'sentinel-2b',
    gsd: null,
    created: '2026-07-15T00:00:00Z',
  });
  const shown = Object.fromEntries(prominent.map(({ name, value }) => [name, value]));

  it('gives the deciding few names, units and sensible digits', () => {
    expect(shown).toEqual({
      'Cloud cover': '4.2 %',
      Platform: 'sentinel-2b',
      'Sun elevation': '61.8°',
      'Relative orbit': '1008',
      Polarizations: 'VV, VH',
      Projection: 'EPSG:32631',
      'Agriculture cloud mask': 'available',
    });
  });

  it('says what two extensions both say once', () => {
    expect(prominent.filter(({ name }) => name === 'Projection')).toHaveLength(1);
  });

  it('lists every property, null ones too', () => {
    expect(all).toHaveLength(13);
    const byProperty = new Map(all.map(({ property, value }) => [property, value]));
    expect(byProperty.get('x:own')).toBe('{"a":1}');
    expect(byProperty.get('gsd')).toBe('null');
    expect(byProperty.get('proj:shape')).toBe('10980 × 10980');
    expect(byProperty.get('datetime')).toBe('14 July 2026, 10:40:31 UTC');
  });

  it('shows values of an unexpected type as they came', () => {
    const { all: odd } = describeProperties({
      'eo:cloud_cover': 'few',
      datetime: 'yesterday',
      gsd: { a: 1 },
    });
    expect(odd.map(({ value }) => value)).toEqual(['few', 'yesterday', '{"a":1}']);
  });
});

it.each([
  ['image/tiff; application=geotiff; profile=cloud-optimized', 'Cloud-Optimized GeoTIFF'],
  ['image/tiff;application=geotiff', 'GeoTIFF'],
  ['image/vnd.stac.geotiff; cloud-optimized=true', 'Cloud-Optimized GeoTIFF'],
  ['IMAGE/JPEG', 'JPEG'],
  ['application/x-hdf5', 'HDF5'],
  ['application/x-unheard-of; a=b', 'application/x-unheard-of'],
  [null, 'Unknown type'],
])('calls %s %s', (mediaType, words) => expect(describeMediaType(mediaType)).toBe(words));

describe('words about assets', () => {
  it('counts sizes it does not know apart', () => {
    const assets = [{ sizeBytes: 264e6 }, { sizeBytes: 248e6 }, { sizeBytes: null }, { sizeBytes: null }];
    expect(describeChoice(assets)).toBe('4 assets · 512 MB + 2 unknown');
    expect(describeTotal([{ sizeBytes: null }])).toBe('size unknown');
    expect(describeChoice([{ sizeBytes: 2_100_000 }])).toBe('1 asset · 2.10 MB');
  });

  it('says why an asset can’t be downloaded, and nothing of those that can', () => {
    expect(explainUnavailable({ availability: 'downloadable' })).toBeNull();
    expect(explainUnavailable({ availability: 'directory' })).toMatch(/folder/);
  });
});
