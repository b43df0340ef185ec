import { describe, expect, it } from 'vitest';
import { isJsonObject } from '#shared/stac/json.ts';
import { assetsOf } from '#shared/stac/asset.ts';
import { bboxesIntersect, toBbox, type Bbox } from '#shared/stac/bbox.ts';
import { footprintOf, propertiesOf, readItem, timeOf, type IdentifiedItem } from '#shared/stac/item.ts';
import { readQueryables } from '#shared/stac/queryables.ts';
import { summarizeCollection } from '#shared/stac/collection.ts';
import { toEpochMicros } from '#shared/stac/timestamp.ts';
import { catalogSpan } from './collections/sensor.ts';
import { queryablesOf } from './collections/catalog.ts';
import { landsat } from './collections/landsat.ts';
import { generateDemo } from './generate-demo.ts';
import { isLandAt } from './geo/land.ts';
import { createRandom } from './random.ts';

const demo = generateDemo({ seed: 1, itemCount: 20_000 });
const items = [...demo.items()];
const byKey = new Map(items.map((item) => [`${item.ref.collectionId}/${item.ref.itemId}`, item]));
const of = (collectionId: string): IdentifiedItem[] =>
  items.filter(({ ref }) => ref.collectionId === collectionId);

describe('the catalog as a whole', () => {
  it('has exactly as many items as asked for, each once', () => {
    expect(items).toHaveLength(20_000);
    expect(byKey.size).toBe(20_000);
  });

  it('is the same for the same seed and another for another', () => {
    const take = (seed: number): string =>
      JSON.stringify([...generateDemo({ seed, itemCount: 400 }).items()]);
    expect(take(1)).toBe(take(1));
    expect(take(1)).not.toBe(take(2));
  });

  it.each([0, 1, 7, 1000])('makes %s items when asked to', (itemCount) => {
    expect([...generateDemo({ seed: 3, itemCount }).items()]).toHaveLength(itemCount);
  });

  it('has seven collections and more, each with items, as real servers describe them', () => {
    expect(demo.collections.length).toBeGreaterThanOrEqual(7);
    for (const collection of demo.collections) {
      expect(of(collection.id).length).toBeGreaterThan(20);
      expect(summarizeCollection(collection)).toMatchObject({
        bbox: expect.any(Array),
        interval: expect.any(Array),
      });
    }
    expect(demo.collections.some(({ id }) => id.includes(':'))).toBe(true);
    expect(demo.collections.some((collection) => collection['keywords'] === null)).toBe(true);
  });

  it('is dated within its span, in microseconds', () => {
    for (const { item } of items) {
      const { datetimeMicros } = timeOf(item);
      expect(datetimeMicros).toBeGreaterThanOrEqual(catalogSpan.fromMs * 1000);
      expect(datetimeMicros).toBeLessThan(catalogSpan.toMs * 1000);
      expect(propertiesOf(item)['datetime']).toMatch(/T\d\d:\d\d:\d\d\.\d{6}Z$/);
    }
  });

  it('has well-formed items with a footprint in their bbox', () => {
    for (const { item, ref } of items) {
      expect(readItem(item)).toEqual({ ref, item });
      expect(footprintOf(item)).not.toBeNull();
      const [, south, , north] = toBbox(item['bbox']) ?? [0, 91, 0, -91];
      expect(south).toBeLessThan(north);
    }
  });

  it('has more items in the last year than in the first', () => {
    const countOf = (year: number): number =>
      items.filter(({ item }) => String(propertiesOf(item)['datetime']).startsWith(String(year))).length;
    expect(countOf(2026)).toBeGreaterThan(countOf(2024));
  });
});

describe('coverage', () => {
  const regions: Record<string, Bbox> = {
    'western Europe': [-10, 36, 29, 70],
    'eastern Europe': [31, 45, 40, 69],
    Alaska: [-165, 55, -142, 70],
    'Canada and the northern States': [-140, 42, -54, 71],
    'the southern States': [-124, 26, -67, 41],
    Mexico: [-116, 16, -85, 24],
    'northern Brazil': [-70, -10, -36, 4],
    'southern Brazil': [-56, -32, -41, -18],
    'northern India': [69, 21, 96, 29],
    'southern India': [74, 8, 86, 20],
    Australia: [113, -39, 153, -11],
  };
  const placed = items.map(({ item }) => ({
    bbox: toBbox(item['bbox']) ?? ([0, 0, 0, 0] as const),
    timeMs: (timeOf(item).datetimeMicros ?? 0) / 1000,
  }));

  it.each(Object.entries(regions))(
    'finds something in any two degrees and half a year of %s',
    (_, [west, south, east, north]) => {
      const random = createRandom(2026);
      for (let tried = 0; tried < 60;) {
        const [lon, lat] = [random.between(west, east), random.between(south, north)];
        if (!isLandAt(lon, lat)) continue;
        tried += 1;
        const box: Bbox = [lon - 1, lat - 1, lon + 1, lat + 1];
        const fromMs = random.between(catalogSpan.fromMs, catalogSpan.toMs - 184 * 86_400_000);
        const toMs = fromMs + 184 * 86_400_000;
        const found = placed.some(
          ({ bbox, timeMs }) => timeMs >= fromMs && timeMs <= toMs && bboxesIntersect(bbox, box),
        );
        expect(found, `${box.join()} from ${new Date(fromMs).toISOString()}`).toBe(true);
      }
    },
  );

  it('reaches the antimeridian and the pole', () => {
    const crossing = items.filter(
      ({ item }) => (toBbox(item['bbox'])?.[0] ?? 0) > (toBbox(item['bbox'])?.[2] ?? 0),
    );
    expect(crossing.length).toBeGreaterThan(2);
    for (const { item } of crossing) expect(footprintOf(item)?.type).toBe('MultiPolygon');
    expect(items.some(({ item }) => toBbox(item['bbox'])?.[3] === 90)).toBe(true);
  });
});

describe('what the collections promise', () => {
  it('links optical items and masks in both directions', () => {
    const withMask = of('sentinel-2-l2a').filter(
      ({ item }) => propertiesOf(item)['eda:ag_cloud_mask_available'] === true,
    );
    expect(withMask.length).toBe(of('sentinel-2-l2a-cog-ag-cloud-mask').length);
    for (const { item, ref } of withMask) {
      const { 'eda:ag_cloud_mask_item_id': maskId, 'eda:ag_cloud_mask_collection_id': maskCollection } =
        propertiesOf(item);
      const mask = byKey.get(`${String(maskCollection)}/${String(maskId)}`);
      expect(mask && propertiesOf(mask.item)['eda:derived_from_item_id']).toBe(ref.itemId);
    }
    const without = of('sentinel-2-l2a').filter(
      ({ item }) => propertiesOf(item)['eda:ag_cloud_mask_available'] === false,
    );
    expect(without.length).toBeGreaterThan(100);
    expect(without.every(({ item }) => !('eda:ag_cloud_mask_item_id' in propertiesOf(item)))).toBe(true);
  });

  it('knows cloud cover of optical items, not of some, and never of radar', () => {
    const covers = of('sentinel-2-l2a').map(({ item }) => propertiesOf(item)['eo:cloud_cover']);
    expect(covers.filter((cover) => cover === null).length).toBeGreaterThan(20);
    const known = covers.filter((cover) => typeof cover === 'number');
    expect(Math.min(...known)).toBe(0);
    expect(Math.max(...known)).toBe(100);
    expect(of('sentinel-1-rtc').some(({ item }) => 'eo:cloud_cover' in propertiesOf(item))).toBe(false);
  });

  it('has one collection with s3 addresses only, and a folder among its assets', () => {
    const assets = of('skysight-50cm').flatMap(({ item }) => assetsOf(item));
    expect(assets.every(({ href }) => href.startsWith('s3://'))).toBe(true);
    expect(assets.some(({ mediaType }) => mediaType === 'inode/directory')).toBe(true);
    expect(Math.max(...assets.map(({ sizeBytes }) => sizeBytes ?? 0))).toBeGreaterThan(10e9);
  });

  it('contacts nobody: other addresses lie in a reserved top-level domain', () => {
    for (const { href } of items.flatMap(({ item }) => assetsOf(item))) {
      expect(href).toMatch(/^(s3:\/\/swath-demo\/|https:\/\/swath-demo\.invalid\/)/);
    }
  });

  it('dates mosaics by the start of their month', () => {
    for (const { item } of of('ai-ready-mosaics')) {
      const { datetime, start_datetime: start, end_datetime: end } = propertiesOf(item);
      expect(datetime).toBe(start);
      expect(start).toMatch(/-01T00:00:00\.000000Z$/);
      expect(toEpochMicros(String(end))).toBeGreaterThan(toEpochMicros(String(start)) ?? Infinity);
    }
  });

  it('takes optical scenes by day, and each satellite in its own cycle', () => {
    const passes = of('sentinel-2-l2a').filter(
      ({ ref }) => ref.itemId.startsWith('S2B') && ref.itemId.includes('_R008_'),
    );
    const days = passes.map(
      ({ item }) => Math.round(((timeOf(item).datetimeMicros ?? 0) / 86_400e6 - 19_700) * 10) / 10,
    );
    expect(days.length).toBeGreaterThan(5);
    const first = days[0] ?? 0;
    for (const day of days) expect(Math.abs(((day - first + 5005) % 10) - 5)).toBeLessThan(0.4);
    for (const { item } of of('landsat-c2l2-sr'))
      expect(propertiesOf(item)['view:sun_elevation']).toBeGreaterThan(0);
  });

  it('dates a scene of Landsat the same, whichever wish comes upon it', () => {
    const times = Array.from({ length: 20 }, (_, seed) =>
      landsat.take({ lon: 10, lat: 50, timeMs: Date.UTC(2025, 5, 1), random: createRandom(seed), room: 1 }),
    ).flatMap((found) => found.map(({ item }) => timeOf(item).datetimeMicros));
    expect(times).toHaveLength(20);
    expect(new Set(times).size).toBe(1);
  });

  it('names in its queryables what its items have, with their datatypes', () => {
    for (const { id } of demo.collections) {
      const queryables = readQueryables(queryablesOf(id));
      const sample = of(id)
        .slice(0, 50)
        .map(({ item }) => propertiesOf(item));
      for (const { name, type, values } of queryables) {
        const found = sample
          .map((properties) => properties[name])
          .filter((value) => value !== null && value !== undefined);
        for (const value of found) {
          expect(type === 'datetime' ? 'string' : type, `${id} ${name}`).toBe(typeof value);
          if (values) expect(values, `${id} ${name}`).toContain(value);
        }
      }
      expect(queryables.map(({ name }) => name)).toContain('datetime');
    }
    expect(queryablesOf('no-such')).toBeNull();
  });

  it('gives sizes and checksums as real servers do: multihash, bare MD5, or none', () => {
    const checksumsOf = (collectionId: string, key: string): unknown[] =>
      of(collectionId)
        .slice(0, 20)
        .flatMap(({ item }) =>
          assetsOf(item)
            .filter((asset) => asset.key === key)
            .map((asset) => asset.checksum),
        );
    expect(checksumsOf('sentinel-2-l2a', 'B04').every((sum) => /^1220[0-9a-f]{64}$/.test(String(sum)))).toBe(
      true,
    );
    expect(checksumsOf('sentinel-1-rtc', 'vv').every((sum) => /^[0-9a-f]{32}$/.test(String(sum)))).toBe(true);
    expect(checksumsOf('venus-l2a', 'image_file_SRE_B3').every((sum) => sum === null)).toBe(true);
    expect(items.flatMap(({ item }) => assetsOf(item)).every(({ raw }) => isJsonObject(raw))).toBe(true);
  });
});
