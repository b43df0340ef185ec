import { describe, expect, it } from 'vitest';
import { createRandom } from '../search/testing/odd-items.ts';
import { createShape, fitsShape } from './item-shape.ts';
import { DifferenceWriter, readDifference } from './shape-difference.ts';

const writer = new DifferenceWriter();

/** Told by the shape and read again, as text: order, numbers and all. */
function tell(model: unknown, item: unknown): { text: string; sizeBytes: number } {
  const shape = createShape(JSON.parse(JSON.stringify(model)));
  const bytes = writer.write(shape, item);
  return { text: JSON.stringify(readDifference(shape, bytes)), sizeBytes: bytes.length };
}

const link = (id: string, band: string) => `https://data.example/${id.slice(0, 3)}/${id}/${band}.tif`;
const scene = (id: string, checksum: string) => ({
  id,
  properties: { datetime: '2026-01-02T03:04:05.678901Z', 'eo:cloud_cover': 12.345678, 'proj:epsg': 32631 },
  assets: Object.fromEntries(
    ['B02', 'B03', 'B04'].map((band) => [
      band,
      { href: link(id, band), 'file:checksum': `${checksum}${band.slice(1)}` },
    ]),
  ),
});

it('tells an id that is in all links once', () => {
  const model = scene('S2B_31UFS_20260101_0_L2A', 'ab'.repeat(20));
  const item = scene('S2A_30TXM_20251224_1_L2A', 'cd'.repeat(20));
  const { text, sizeBytes } = tell(model, item);
  expect(text).toBe(JSON.stringify(item));
  expect(sizeBytes).toBeLessThan(140);
});

it('tells each of thousands of numbers once, however often it comes', () => {
  const corner = (index: number) => [index * 0.001 - 1, -index * 0.002];
  const corners = Array.from({ length: 3000 }, (_, index) => corner(index));
  const model = { id: 'a', ring: null, again: null };
  const { text, sizeBytes } = tell(model, { ...model, ring: corners });
  expect(text).toBe(JSON.stringify({ ...model, ring: corners }));
  const twice = { ...model, ring: corners, again: corners };
  const told = tell(model, twice);
  expect(told.text).toBe(JSON.stringify(twice));
  expect(told.sizeBytes).toBeLessThan(sizeBytes * 1.8);
  // What was told of one item isn't there for the next.
  expect(tell(model, { ...model, again: corners }).sizeBytes).toBe(sizeBytes);
});

it('tells each of thousands of texts once, also those that end alike', () => {
  const name = (index: number) => `${String(index)} in the inner harbour`;
  const names = Array.from({ length: 1500 }, (_, index) => name(index));
  const model = { id: 'a', names: null, again: null };
  const once = tell(model, { ...model, names });
  expect(once.text).toBe(JSON.stringify({ ...model, names }));
  const twice = { ...model, names, again: names };
  const told = tell(model, twice);
  expect(told.text).toBe(JSON.stringify(twice));
  expect(told.sizeBytes).toBeLessThan(once.sizeBytes + names.length * 3 + 10);
  expect(tell(model, { ...model, again: names }).sizeBytes).toBe(once.sizeBytes);
});

const odd: unknown[] = [
  null,
  true,
  0,
  -0,
  -1,
  127,
  128,
  2 ** 31,
  -(2 ** 40),
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 60,
  0.1,
  -12.000001,
  1 / 3,
  5e-324,
  1.7976931348623157e308,
  123456789.123456,
  0.1 + 0.2,
  '',
  'a',
  '$&$1$$',
  'ünï',
  '日本語',
  '😀 and more',
  '\ud800',
  'x\udc00y',
  '\u0000\u001f\u007f\u2028',
  'deadbeefdeadbeef',
  'DEADBEEFDEADBEEF',
  'abc'.repeat(30_000),
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.000Z',
  '2026-01-02T03:04:05.1234567Z',
  '2026-02-30T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '2026-01-02T24:00:00Z',
  '2026-01-02T03:04:60Z',
  '9999-12-31T23:59:59.999999Z',
  [],
  {},
  [[], [[1, 2], [3]], {}],
  { 10: 'a', 2: 'b', x: { 1: null } },
  JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":[3]}'),
  { '': { '': '' } },
];

describe('whatever the item holds', () => {
  it.each(odd.map((value, index) => [JSON.stringify(value).slice(0, 40), value, index] as const))(
    'gives %s back',
    (_name, value) => {
      for (const before of odd) {
        const [model, item] = [
          { id: 'm', a: before, b: [before], c: 'same' },
          { id: 'n', a: value, b: [value], c: 'same' },
        ];
        expect(tell(model, item).text).toBe(JSON.stringify(item));
      }
      expect(tell(value, value).text).toBe(JSON.stringify(value));
    },
  );

  it('gives 3,000 random items back by the shape of others', () => {
    const random = createRandom(11);
    let model: unknown = randomValue(random, 0);
    for (let round = 0; round < 3000; round++) {
      const item = random() < 0.6 ? vary(model, random) : randomValue(random, 0);
      const { text } = tell(model, item);
      if (text !== JSON.stringify(item)) expect.soft(text).toBe(JSON.stringify(item));
      if (random() < 0.3) model = item;
    }
  });

  it('gives back what is nested deeply', () => {
    const nest = (leaf: unknown) =>
      JSON.parse(`${'['.repeat(500)}${JSON.stringify(leaf)}${']'.repeat(500)}`) as unknown;
    expect(tell(nest(1), nest('x')).text).toBe(JSON.stringify(nest('x')));
    expect(tell(1, nest('x')).text).toBe(JSON.stringify(nest('x')));
  });

  it('leaves out what JSON leaves out', () => {
    const item = { a: undefined, b: [undefined, NaN, Infinity], c: { d: undefined, e: 1 } };
    for (const model of [item, { a: 1, b: [1, 2, 3], c: { d: 2, e: 3 } }, { b: [1, 2, 3], c: { e: 3 } }])
      expect(tell(model, item).text).toBe(JSON.stringify(item));
  });
});

it('says of a text that it may be a signed link, wherever it is', () => {
  const signed = 'https://b.example/a.tif?Signature=c2VjcmV0';
  const shape = createShape({ a: 'https://b.example/a.tif', b: 1 });
  expect(writer.appendUnsigned(shape, { a: 'https://b.example/b.tif', b: 1 })).toBe(true);
  expect(writer.appendUnsigned(shape, { a: signed, b: 1 })).toBe(false);
  expect(writer.appendUnsigned(shape, { a: 'x', b: { c: [signed] } })).toBe(false);
});

it('takes bytes that were changed for wrong, or for something else, and never hangs', () => {
  const shape = createShape(scene('S2B_31UFS_20260101_0_L2A', 'ab'.repeat(20)));
  const bytes = writer.write(shape, scene('S2A_30TXM_20251224_1_L2A', 'cd'.repeat(20)));
  const random = createRandom(3);
  for (let round = 0; round < 2000; round++) {
    const changed = Buffer.from(bytes);
    changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
    try {
      readDifference(shape, changed.subarray(0, Math.ceil(random() * changed.length)));
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(Error);
    }
  }
});

it('fits items with the same members, properties and assets', () => {
  const shape = createShape(scene('a', 'b'));
  const other = scene('c', 'd');
  expect(fitsShape(shape, other)).toBe(true);
  expect(fitsShape(shape, { ...other, more: 1 })).toBe(false);
  expect(fitsShape(shape, { ...other, properties: { datetime: null } })).toBe(false);
  expect(fitsShape(shape, { ...other, assets: {} })).toBe(false);
});

function randomValue(random: () => number, depth: number): unknown {
  const kind = random();
  if (depth < 4 && kind < 0.25)
    return Array.from({ length: random() * 5 }, () => randomValue(random, depth + 1));
  if (depth < 4 && (kind < 0.6 || depth === 0)) {
    const count = Math.floor(random() * 6);
    return Object.fromEntries(
      Array.from({ length: count }, () => [pick(names, random), randomValue(random, depth + 1)]),
    );
  }
  if (kind < 0.8) return Math.round(random() * 1e6) / 10 ** Math.floor(random() * 7) - 100;
  return pick(odd, random);
}

function vary(value: unknown, random: () => number): unknown {
  if (random() < 0.15) return randomValue(random, 3);
  if (Array.isArray(value)) return value.map((element) => vary(element, random));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, vary(member, random)]));
  return value;
}

function pick<Value>(values: readonly Value[], random: () => number): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

const names = ['id', 'href', '1', '0', '__proto__', 'eo:cloud_cover', 'ö', ''];
