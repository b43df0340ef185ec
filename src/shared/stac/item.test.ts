import { describe, expect, it } from 'vitest';
import { assetsOf, downloadHref } from './asset.ts';
import { bboxOf, cloudCoverOf, propertiesOf, readItem, timeOf, type StacItem } from './item.ts';
import { toItemRow } from './item-row.ts';
import { isSignedUrl, mayHoldSignedUrl } from './signed-url.ts';
import { thumbnailAsset } from './thumbnail.ts';
import { withoutSignedLinks } from './without-signed-links.ts';

function anItem(members: Record<string, unknown>): StacItem {
  return { id: 'a', ...members };
}

describe('readItem', () => {
  it('takes the same object, and the collection from where it was found if it names none', () => {
    const value = { id: 'a', properties: null };
    const reading = readItem(value, { collectionId: 'c' });
    expect(reading).toEqual({ ref: { collectionId: 'c', itemId: 'a' }, item: { id: 'a', properties: null } });
    expect('item' in reading && reading.item).toBe(value);
  });

  it.each([[null], [[]], ['text'], [{}], [{ id: '' }], [{ id: 7, collection: 'c' }], [{ id: 'a' }]])(
    'gives a reason for %j',
    (value) => expect(readItem(value)).toEqual({ reason: expect.any(String) }),
  );

  it('gives a reason for ids that hold half a character', () => {
    for (const value of [
      { id: 'a\ud800', collection: 'c' },
      { id: 'a', collection: '\udc00' },
    ])
      expect(readItem(value)).toMatchObject({ reason: expect.stringContaining('is no text') as string });
  });
});

describe('an item with null or missing members', () => {
  const bare = {
    ref: { collectionId: 'c', itemId: 'a' },
    item: anItem({ properties: null, assets: null, bbox: null, geometry: null }),
  };
  it('still makes a row', () => {
    expect(toItemRow(bare)).toEqual({
      collectionId: 'c',
      itemId: 'a',
      datetime: null,
      cloudCover: null,
      platform: null,
      footprint: null,
      bbox: null,
      assetCount: 0,
      hasThumbnail: false,
      isPartial: false,
    });
    expect(propertiesOf(bare.item)).toEqual({});
  });

  it('says where its span ends, unless it is of one moment', () => {
    const endOf = (properties: Record<string, unknown>) =>
      toItemRow({ ...bare, item: anItem({ properties }) }).endDatetime;
    const span = { start_datetime: '2026-01-01T00:00:00Z', end_datetime: '2026-03-31T00:00:00Z' };
    expect(endOf({ datetime: null, ...span })).toBe('2026-03-31T00:00:00Z');
    expect(endOf({ datetime: '2026-02-01T00:00:00Z', ...span })).toBeUndefined();
    expect(endOf({ datetime: null, end_datetime: span.end_datetime })).toBeUndefined();
  });

  it('has its box computed from the footprint, and heights dropped', () => {
    const geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [2, 0],
          [2, 3],
          [0, 0],
        ],
      ],
    };
    expect(bboxOf(anItem({ geometry }))).toEqual([0, 0, 2, 3]);
    expect(bboxOf(anItem({ geometry, bbox: [9, 9, 0, 10, 10, 5] }))).toEqual([9, 9, 10, 10]);
  });
});

describe('timeOf', () => {
  it('takes the span only where there is no instant', () => {
    const span = { start_datetime: '1970-01-01T00:00:01Z', end_datetime: '1970-01-01T00:00:03Z' };
    expect(timeOf(anItem({ properties: { datetime: null, ...span } }))).toEqual({
      datetimeMicros: 1e6,
      startMicros: 1e6,
      endMicros: 3e6,
    });
    expect(timeOf(anItem({ properties: { datetime: '1970-01-01T00:00:02Z', ...span } }))).toEqual({
      datetimeMicros: 2e6,
      startMicros: 2e6,
      endMicros: 2e6,
    });
  });
});

describe('cloudCoverOf', () => {
  it('is null for anything but a number', () => {
    expect(
      [12.5, 0, '12', null].map((value) => cloudCoverOf(anItem({ properties: { 'eo:cloud_cover': value } }))),
    ).toEqual([12.5, 0, null, null]);
  });
});

describe('assets', () => {
  it('keep odd keys and big sizes and leave out entries without an href', () => {
    const assets = assetsOf(
      anItem({
        assets: {
          'preview/B01.jp2': { href: 'x', 'file:size': 10_000_000_000 },
          broken: { title: 'no href' },
          'n.a': null,
        },
      }),
    );
    expect(assets.map(({ key, sizeBytes }) => [key, sizeBytes])).toEqual([
      ['preview/B01.jp2', 10_000_000_000],
    ]);
  });

  it('give the download link under either name', () => {
    const links = [
      { download: { href: 'd' }, download_url: { href: 'u' } },
      { download_url: { href: 'u' } },
      {},
      null,
      [{ href: 'x' }],
    ];
    const assets = links.map((alternate) => assetsOf(anItem({ assets: { a: { href: 'h', alternate } } }))[0]);
    expect(assets.map((asset) => asset && downloadHref(asset))).toEqual(['d', 'u', null, null, null]);
  });

  it('show the thumbnail before the overview, and never a GeoTIFF', () => {
    const item = anItem({
      assets: {
        visual: { href: 'v.tif', type: 'image/tiff; application=geotiff', roles: ['overview'] },
        overview: { href: 'o.jpg', type: 'image/jpeg', roles: ['overview'] },
        small: { href: 't.png', type: 'image/png', roles: ['thumbnail'] },
      },
    });
    expect(thumbnailAsset(item)?.key).toBe('small');
    expect(thumbnailAsset(anItem({ assets: { visual: { href: 'v.tif', type: 'image/tiff' } } }))).toBeNull();
  });
});

describe('withoutSignedLinks', () => {
  it.each([
    'https://b.example/f?AWSAccessKeyId=A&Signature=S&Expires=1',
    'https://b.example/f?X-Amz-Algorithm=A&X-Amz-Signature=S',
    'https://b.example/f?sv=1&se=2026-01-01&sig=S',
    'https://b.example/f?X-Goog-Signature=S',
  ])('takes out %s', (url) => {
    expect([isSignedUrl(url), mayHoldSignedUrl(JSON.stringify({ href: url }))]).toEqual([true, true]);
    const item = anItem({
      assets: { a: { href: url, alternate: { download: { href: url } } } },
      links: [{ rel: 'x', href: url }],
    });
    expect(withoutSignedLinks(item)).toEqual(
      anItem({
        assets: { a: { href: 'https://b.example/f' } },
        links: [{ rel: 'x', href: 'https://b.example/f' }],
      }),
    );
  });

  it('leaves proxy and public links alone', () => {
    const alternate = {
      download: { href: 'https://api.example/v1/asset?asset_path=s3%3A%2F%2Fb&item_id=a' },
    };
    const item = anItem({ assets: { a: { href: 'https://open.example/f.tif?v=2', alternate } } });
    expect(withoutSignedLinks(item)).toEqual(item);
  });
});
