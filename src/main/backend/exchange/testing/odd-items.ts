import type { IdentifiedItem, StacItem } from '#shared/stac/item.ts';

/** An Item with what it is given in place of the ordinary. */
export function makeItem(id: string, members: Record<string, unknown> = {}): IdentifiedItem {
  const collection = typeof members['collection'] === 'string' ? members['collection'] : 'optical';
  const item: StacItem = {
    type: 'Feature',
    stac_version: '1.0.0',
    stac_extensions: ['https://stac-extensions.github.io/eo/v1.1.0/schema.json'],
    id,
    collection,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [7, 46],
          [8, 46],
          [8, 47],
          [7, 47],
          [7, 46],
        ],
      ],
    },
    bbox: [7, 46, 8, 47],
    properties: { datetime: '2026-05-01T10:20:30.123456Z', 'eo:cloud_cover': 12.5, platform: 'sentinel-2b' },
    links: [{ rel: 'self', href: `https://catalog.test/items/${id}`, type: 'application/geo+json' }],
    assets: {
      red: {
        href: `https://storage.test/${id}/red.tif`,
        type: 'image/tiff',
        roles: ['data'],
        'file:size': 12,
      },
    },
    ...members,
  };
  return { ref: { collectionId: collection, itemId: id }, item };
}

/** Items as no schema has foreseen them. */
export function makeOddItems(): IdentifiedItem[] {
  return [
    makeItem('plain'),
    makeItem('null-geometry', { geometry: null, bbox: undefined }),
    makeItem('no-bbox', { bbox: null }),
    makeItem('heights', {
      bbox: [7, 46, 100.5, 8, 47, 200],
      geometry: { type: 'Point', coordinates: [7.123456789012345, 46.1, 300] },
    }),
    makeItem('antimeridian', {
      bbox: [179, -10, -179, -9],
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [179, -10],
            [-179, -10],
            [-179, -9],
            [179, -9],
            [179, -10],
          ],
        ],
      },
    }),
    makeItem('spans', {
      properties: {
        datetime: null,
        start_datetime: '2026-01-01T00:00:00Z',
        end_datetime: '2026-02-01T00:00:00.000Z',
      },
    }),
    makeItem('other-time-form', {
      properties: { datetime: '2026-05-01T12:00:00+02:00', created: 'yesterday' },
    }),
    makeItem('no-time', { properties: {} }),
    makeItem('wild', {
      properties: {
        datetime: '2026-05-01T00:00:00Z',
        mixed: 'text',
        'proj:shape': [10_980, 10_980],
        'proj:transform': [10.0, 0, 399_960.5],
        nothing: null,
        nested: { a: { b: [1, { c: null }] }, 'd.e': 'dots' },
        empty: {},
        none: [],
        big: 2 ** 60,
        id: 'a property that is called id',
        Platform: 'capital',
        text: 'He said "no", twice;\r\nand left',
        digits: '0031',
        number: '31',
        truth: 'true',
        yes: true,
        blank: '',
        __proto__: 'x',
      },
    }),
    makeItem('mixed', { properties: { datetime: '2026-05-01T00:00:00Z', mixed: 7, 'proj:shape': null } }),
    makeItem('formula', {
      properties: {
        datetime: '2026-05-01T00:00:00Z',
        text: '=HYPERLINK("http://evil.test","click")',
        plus: '+1',
        minus: '-1',
        at: '@SUM(A1)',
        tab: '\t=1+1',
        apostrophe: "'quoted",
        apostropheFormula: "'=1",
        list: '["a","b"]',
        negative: -5.25,
        '=header': 1,
      },
    }),
    makeItem('assets', {
      assets: {
        'B01.tif': { href: 'a', roles: [] },
        b01: { href: 'b', title: null },
        B01: { href: 'c', 'raster:bands': [{ nodata: 0, scale: 0.1 }, {}] },
      },
      foreign: { member: [1] },
    }),
    makeItem('no-links', { links: null, assets: {}, stac_extensions: undefined }),
    makeItem('same id', { collection: 'radar' }),
    makeItem('same id', { collection: 'optical', geometry: { type: 'Polygon', coordinates: 'nowhere' } }),
  ];
}
