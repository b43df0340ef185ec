import { readItem, type IdentifiedItem } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { generateDemo } from '../src/main/backend/demo/generate-demo.ts';

/** Which collections, and how often in a hundred: 4.2 kB of JSON an Item on average, from 2.5 to 8.5. */
const shares: readonly (readonly [collectionId: string, share: number])[] = [
  ['sentinel-1-rtc', 30],
  ['venus-l2a', 26],
  ['sentinel-2-l2a-cog-ag-cloud-mask', 14],
  ['skysight-50cm', 10],
  ['sentinel-2-l2a', 10],
  ['landsat-c2l2-sr', 10],
];

const marker = /@@(\w+)@@|"@@(\w+)=(-?[\d.eE+-]+)@@"/g;
const firstMs = Date.UTC(2016, 0, 1);
const spanMs = 10 * 365 * 24 * 3_600_000;

type Piece = string | ((number: number) => string);

interface Template {
  collectionId: string;
  pieces: readonly Piece[];
}

/**
 * Makes Items like the demo's, any number of them, the same for the same number: each has its own id, times, place,
 * figures and checksums. Reading one out of its text costs what a page of a catalog costs.
 */
export function createMillionItems(): (number: number) => IdentifiedItem {
  const textAt = createMillionTexts();
  return (number) => readText(textAt(number));
}

/** Reads an Item as it comes off the network. */
export function readText(text: string): IdentifiedItem {
  const reading = readItem(JSON.parse(text));
  if ('reason' in reading) throw new Error(reading.reason);
  return reading;
}

/** The JSON of those Items. */
export function createMillionTexts(): (number: number) => string {
  const templates = readTemplates();
  const wheel = shares.flatMap(([collectionId, share]) => {
    const template = templates.find((one) => one.collectionId === collectionId);
    return template ? Array<Template>(share).fill(template) : [];
  });
  return (number) => {
    const template = wheel[(number * 61) % wheel.length];
    if (!template) throw new RangeError('there are no templates');
    return template.pieces.map((piece) => (typeof piece === 'string' ? piece : piece(number))).join('');
  };
}

/** A share of one by a number and a purpose: evenly spread, and the same every time. */
export function spread(number: number, purpose: number): number {
  let bits = Math.imul(number ^ (purpose * 0x9e3779b1), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

function readTemplates(): Template[] {
  const found = new Map<string, Template>();
  for (const one of generateDemo({ seed: 1, itemCount: 4000 }).items()) {
    const { collectionId } = one.ref;
    const [west = 0, , east = 0] = one.item['bbox'] as number[];
    // One across the antimeridian can't be moved about.
    if (east > west && !found.has(collectionId)) found.set(collectionId, toTemplate(one));
    if (shares.every(([id]) => found.has(id))) break;
  }
  return [...found.values()];
}

function toTemplate({ ref, item }: IdentifiedItem): Template {
  const tile = /\d\d[A-Z]{3}(?=[_-])/.exec(ref.itemId)?.[0];
  let checksumCount = 0;
  const mark = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((element) => mark(element, name));
    if (isJsonObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mark(member, key)]));
    if (typeof value === 'number') return markNumber(value, name);
    if (typeof value !== 'string') return value;
    if (name === 'file:checksum') return `1220@@checksum${String(checksumCount++)}@@`;
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return `@@${name === 'datetime' ? 'datetime' : 'time'}@@`;
    const withId = value.replaceAll(ref.itemId, '@@id@@');
    return tile === undefined ? withId : withId.replaceAll(tile, '@@tile@@');
  };
  const text = JSON.stringify(mark(item, ''));
  const dated = ref.itemId.replace(/\d{8}/g, '@@day@@');
  const idWithTile = tile === undefined ? dated : dated.replace(tile, '@@tile@@');
  return {
    collectionId: ref.collectionId,
    pieces: toPieces(text.replaceAll('@@id@@', `${idWithTile}_@@number@@`)),
  };
}

function markNumber(value: number, name: string): unknown {
  if (name === 'coordinates' || name === 'bbox') return value;
  const isMeasured =
    !Number.isInteger(value) && /cover|percentage|sun|off_nadir|azimuth|incidence/.test(name);
  if (isMeasured) return `@@measured=${String(value)}@@`;
  return name === 'file:size' ? `@@size=${String(value)}@@` : value;
}

function toPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  let count = 0;
  const places = /"(geometry|bbox)":(\{.*?\}|\[.*?\])(?=,")/g;
  const placed = text.replaceAll(
    places,
    (_, name: string, value: string) =>
      `"${name}":${value.replaceAll(/-?\d+\.?\d*(?=[,\]])/g, (coordinate) => `"@@coordinate=${coordinate}@@"`)}`,
  );
  const box = /"bbox":\["@@coordinate=(.*?)@@","@@coordinate=(.*?)@@"/.exec(placed);
  const origin = { west: Number(box?.[1] ?? 0), south: Number(box?.[2] ?? 0) };
  let isLatitude = false;
  for (const match of placed.matchAll(marker)) {
    pieces.push(placed.slice(end, match.index));
    end = match.index + match[0].length;
    const name = match[1] ?? match[2] ?? '';
    const value = Number(match[3] ?? 0);
    const purpose = count++;
    if (name === 'coordinate') {
      pieces.push(isLatitude ? latitude(value - origin.south) : longitude(value - origin.west));
      isLatitude = !isLatitude;
    } else pieces.push(toPiece(name, purpose));
  }
  return [...pieces, placed.slice(end)];
}

function toPiece(name: string, purpose: number): Piece {
  if (name === 'number') return (number) => number.toString(36).toUpperCase().padStart(7, '0');
  if (name === 'day')
    return (number) => new Date(timeOf(number)).toISOString().slice(0, 10).replaceAll('-', '');
  if (name === 'datetime') return (number) => `${new Date(timeOf(number)).toISOString().slice(0, -1)}417Z`;
  if (name === 'time')
    return (number) => new Date(timeOf(number) + Math.floor(spread(number, purpose) * 1e8)).toISOString();
  if (name === 'tile') return tileOf;
  if (name === 'measured') return (number) => String(Math.round(spread(number, purpose) * 1e8) / 1e6);
  if (name === 'size') return (number) => String(Math.floor(spread(number, purpose) * 4e8));
  return (number) => checksum(number, purpose);
}

function timeOf(number: number): number {
  return firstMs + Math.floor(spread(number, 1) * spanMs);
}

function tileOf(number: number): string {
  const letter = (purpose: number) => String.fromCharCode(65 + Math.floor(spread(number, purpose) * 26));
  return `${String(1 + Math.floor(spread(number, 2) * 60)).padStart(2, '0')}${letter(3)}${letter(4)}${letter(5)}`;
}

// Far enough from the antimeridian and the poles that the widest of them stays whole.
function longitude(offset: number): Piece {
  return (number) => String(Math.round((spread(number, 6) * 350 - 177 + offset) * 1e6) / 1e6);
}

function latitude(offset: number): Piece {
  return (number) => String(Math.round((spread(number, 7) * 140 - 65 + offset) * 1e6) / 1e6);
}

const hexPool = Array.from({ length: 8192 }, (_, index) =>
  Math.floor(spread(index, 8) * 2 ** 32)
    .toString(16)
    .padStart(8, '0'),
);

function checksum(number: number, purpose: number): string {
  let text = '';
  for (let part = 0; part < 8; part++)
    text += hexPool[Math.floor(spread(number * 8 + part, purpose + 100) * hexPool.length)] ?? '';
  return text;
}
