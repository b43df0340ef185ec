import type { SearchQuery } from '#shared/search/search-query.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';

/** Gives numbers from 0 to 1, the same ones for the same seed. */
export type Random = () => number;

/** A sequence that a test can repeat. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const collections = ['a', 'b', 'c-with-é'];
const firstMs = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

/** An Item as strange as servers send them; the same id for the same number. */
export function oddItem(number: number, random: Random): IdentifiedItem {
  const place = oddPlace(random);
  const itemId = `item-${number % 5 === 0 ? 'É' : ''}${String(number)}`;
  const collectionId = pick(collections, () => (number * 0.37) % 1);
  const item = {
    type: 'Feature',
    id: itemId,
    collection: collectionId,
    ...place,
    properties: { ...oddTimes(random), ...oddProperties(number, random) },
    assets: {},
    links: [],
  };
  return { ref: { collectionId, itemId }, item };
}

function oddPlace(random: Random): Record<string, unknown> {
  const kind = random();
  // Some stand exactly on whole degrees, where areas begin too.
  const snap = (degrees: number) => (random() < 0.3 ? Math.round(degrees) : degrees);
  const [west, south] = [snap(random() * 340 - 175), snap(random() * 150 - 75)];
  const [east, north] = [west + 0.5 + random() * 3, south + 0.5 + random() * 3];
  const bbox = [west, south, east, north];
  if (kind < 0.04) return { bbox: null, geometry: null };
  if (kind < 0.08) return { bbox, geometry: null };
  if (kind < 0.12) return { bbox: null, geometry: polygon(slanted(bbox)) };
  if (kind < 0.16) return { bbox: [west, south, 12, east, north, 500], geometry: polygon(slanted(bbox)) };
  if (kind < 0.2) {
    return {
      bbox: [179, south, -179, north],
      geometry: {
        type: 'MultiPolygon',
        coordinates: [[box([179, south, 180, north])], [box([-180, south, -179, north])]],
      },
    };
  }
  if (kind < 0.23) return { bbox, geometry: { type: 'Point', coordinates: [west, south] } };
  if (kind < 0.27) {
    const [x, y] = [(west + east) / 2, (south + north) / 2];
    return {
      bbox,
      geometry: { type: 'Polygon', coordinates: [box(bbox), box([x - 0.1, y - 0.1, x + 0.1, y + 0.1])] },
    };
  }
  // A box that has nothing to do with the footprint, and one that was rounded.
  if (kind < 0.3) return { bbox: [0, 0, 1, 1], geometry: polygon(slanted(bbox)) };
  if (kind < 0.4)
    return { bbox: bbox.map((degrees) => Number(degrees.toFixed(4))), geometry: polygon(slanted(bbox)) };
  return { bbox, geometry: polygon(random() < 0.5 ? slanted(bbox) : box(bbox)) };
}

function oddTimes(random: Random): Record<string, unknown> {
  const kind = random();
  const ms = firstMs + Math.floor(random() * 40) * dayMs + Math.floor(random() * 5) * 3_600_000;
  const iso = new Date(ms).toISOString();
  const end = new Date(ms + 10 * dayMs).toISOString();
  if (kind < 0.05) return { datetime: null };
  if (kind < 0.08) return {};
  if (kind < 0.11) return { datetime: 'last Tuesday' };
  if (kind < 0.18) return { datetime: null, start_datetime: iso, end_datetime: end };
  if (kind < 0.22) return { datetime: null, end_datetime: end };
  if (kind < 0.3) return { datetime: `${new Date(ms + 7_200_000).toISOString().slice(0, 19)}+02:00` };
  if (kind < 0.4)
    return { datetime: `${iso.slice(0, 19)}.${String(Math.floor(random() * 1e6)).padStart(6, '0')}Z` };
  return { datetime: random() < 0.5 ? iso : `${iso.slice(0, 19)}Z` };
}

function oddProperties(number: number, random: Random): Record<string, unknown> {
  return {
    ...(random() < 0.1 ? {} : { 'eo:cloud_cover': oddNumber(random, [0, 100, 12.5, 1e-7]) }),
    ...(random() < 0.3 ? {} : { platform: pick(['one', 'two', 'Three', ''], random) }),
    ...(random() < 0.3 ? {} : { ready: random() < 0.5 }),
    mixed: pick<unknown>([1, '1', true, null, ['x', 'y'], { a: 1 }, 'one', 2.5, 0], random),
    name: random() < 0.9 ? `scene ${String(number)}` : '2024-01-05T00:00:00Z',
    made:
      random() < 0.9
        ? new Date(firstMs + Math.floor(random() * 1e9)).toISOString()
        : '2024-01-05T00:00:00+00:00',
    'view:angle': Number((random() * 90 - 45).toFixed(pick([0, 1, 3, 15], random))),
    ...(random() < 0.02 ? { note: 'long '.repeat(200) } : {}),
  };
}

function oddNumber(random: Random, favourites: readonly number[]): unknown {
  const kind = random();
  if (kind < 0.1) return null;
  if (kind < 0.13) return '50';
  return kind < 0.4 ? pick(favourites, random) : Number((random() * 100).toFixed(pick([0, 2, 14], random)));
}

/** A question about anything that odd Items have, often about the very values of one of them. */
export function oddQuery(items: readonly IdentifiedItem[], random: Random): SearchQuery {
  const some = () => pick(items, random);
  const query: SearchQuery = {};
  if (random() < 0.3) query.collections = collections.filter(() => random() < 0.5);
  if (query.collections?.length === 0) delete query.collections;
  if (random() < 0.1) query.ids = Array.from({ length: 30 }, () => some().ref.itemId);
  if (random() < 0.3) query.datetime = oddInterval(random);
  const area = random();
  if (area < 0.25) query.bbox = oddBox(random);
  else if (area < 0.6) query.intersects = oddArea(random) as NonNullable<SearchQuery['intersects']>;
  if (random() < 0.5)
    query.query = {
      ...oddCondition(some(), random),
      ...(random() < 0.3 ? oddCondition(some(), random) : {}),
    };
  if (random() < 0.5) {
    const field = pick(['datetime', 'eo:cloud_cover', 'properties.eo:cloud_cover'], random);
    query.sortby = [{ field, direction: random() < 0.5 ? 'asc' : 'desc' }];
  }
  return query;
}

function oddInterval(random: Random): string {
  const at = () => new Date(firstMs + Math.floor(random() * 45) * dayMs).toISOString();
  const [from = '', to = ''] = [at(), at()].sort();
  return pick([`${from}/${to}`, `${from}/..`, `../${to}`, from], random);
}

function oddBox(random: Random): [number, number, number, number] {
  const [west, south] = [Math.round(random() * 360 - 180), Math.round(random() * 160 - 80)];
  const size = pick([1, 10, 60, 150], random);
  const east = west + size > 180 ? (random() < 0.5 ? 180 : west + size - 360) : west + size;
  return [west, south, east, Math.min(90, south + size)];
}

function oddArea(random: Random): object {
  const kind = random();
  const [x, y] = [random() * 320 - 160, random() * 120 - 60];
  if (kind < 0.1) return { type: 'Point', coordinates: [x, y] };
  if (kind < 0.25) return oddLine([x, y], random);
  if (kind < 0.4) return polygon(box([Math.round(x), Math.round(y), Math.round(x) + 2, Math.round(y) + 2]));
  if (kind < 0.5) {
    const hole = star([x, y], 9, random);
    return { type: 'Polygon', coordinates: [box([x - 40, y - 25, x + 40, y + 25]), hole] };
  }
  if (kind < 0.6) {
    // Two that overlap.
    const parts = [star([x, y], 15, random), star([x + 5, y], 15, random)];
    return { type: 'MultiPolygon', coordinates: parts.map((ring) => [ring]) };
  }
  return polygon(star([x, y], pick([0.4, 4, 30], random), random));
}

// Long ones, along degrees where Items begin too, closed ones that hold nothing, and some that stand on one place.
function oddLine([x, y]: readonly [number, number], random: Random): object {
  const [column, row] = [Math.round(x), Math.round(y)];
  const line = pick(
    [
      [
        [x, y],
        [x + 30, y + 20],
      ],
      Array.from({ length: 40 }, (_, step) => [x - 60 + step * 3, y + (random() - 0.5) * 20]),
      [
        [column, -80],
        [column, 80],
      ],
      [
        [-170, row],
        [170, row],
      ],
      star([x, y], 30, random),
      [
        [x, y],
        [x, y],
      ],
    ],
    random,
  );
  if (random() < 0.7) return { type: 'LineString', coordinates: line };
  return { type: 'MultiLineString', coordinates: [line, star([column, row], 3, random)] };
}

function oddCondition({ item }: IdentifiedItem, random: Random): NonNullable<SearchQuery['query']> {
  const properties = item['properties'] as Record<string, unknown>;
  const name = pick([...Object.keys(properties), 'nowhere'], random);
  const own = properties[name];
  const isScalar = typeof own === 'string' || typeof own === 'number' || typeof own === 'boolean';
  const operand =
    isScalar && random() < 0.8
      ? own
      : pick<string | number | boolean>(['one', 50, true, '2024-01-05T00:00:00Z'], random);
  if (random() < 0.2 && typeof operand !== 'boolean') return { [name]: { in: [operand, 'two', 7] } };
  return { [name]: { [pick(['eq', 'neq', 'lt', 'lte', 'gt', 'gte'], random)]: operand } };
}

function polygon(ring: number[][]): object {
  return { type: 'Polygon', coordinates: [ring] };
}

function box([west = 0, south = 0, east = 0, north = 0]: readonly number[]): number[][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function slanted([west = 0, south = 0, east = 0, north = 0]: readonly number[]): number[][] {
  const lean = (east - west) / 5;
  return [
    [west, south],
    [east - lean, south + lean],
    [east, north],
    [west + lean, north - lean],
    [west, south],
  ];
}

function star([x = 0, y = 0]: readonly number[], radius: number, random: Random): number[][] {
  const corners = Array.from({ length: 12 }, (_, corner) => {
    const reach = radius * (0.3 + 0.7 * random());
    const angle = (corner / 12) * 2 * Math.PI;
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
  });
  return [...corners, corners[0] ?? []];
}

function pick<Value>(values: readonly Value[], random: Random): Value {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new RangeError('nothing to pick from');
  return value;
}
