import { bboxOf, timeOf, type ItemRef, type StacItem } from '#shared/stac/item.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import type { StacCollection } from '#shared/stac/collection.ts';
import { withoutSecrets } from '../../links/secrets-in-url.ts';
import type { ReceiptEntry } from './receipt.ts';

const stacVersion = '1.0.0';
const geojson = 'application/geo+json';

// Relations that belong to the server's tree or to its API; the folder has its own.
const notCopied = new Set([
  'self',
  'root',
  'parent',
  'collection',
  'items',
  'item',
  'child',
  'children',
  'next',
  'prev',
  'previous',
  'search',
  'data',
  'conformance',
  'queryables',
  'http://www.opengis.net/def/rel/ogc/1.0/queryables',
  'thumbnail',
  'canonical',
]);

/** An Item as it lies in the folder. */
export type LocalItem = JsonObject & { assets: JsonObject };

/** The file of an asset that is here. */
export type LocalFile = Pick<ReceiptEntry, 'file' | 'bytes' | 'checksum' | 'announced'>;

/**
 * The Item as it lies beside its files, by the keys of their assets: relative hrefs, sizes and checksums of what is here,
 * absolute hrefs for the rest, without what addresses may carry of a permission. There is no `self` link: STAC wants it
 * absolute, which would be wrong as soon as the folder is moved, and readers resolve the other hrefs against it.
 */
export function toLocalItem(item: StacItem, ref: ItemRef, files: ReadonlyMap<string, LocalFile>): LocalItem {
  const geometry = isJsonObject(item['geometry']) ? item['geometry'] : null;
  const { bbox: given, ...members } = withoutNulls(item, ['geometry', 'properties']);
  const bbox = Array.isArray(given) ? given : bboxOf(item);
  const base = addressOf(item['links']);
  return withoutSecrets({
    stac_version: stacVersion,
    ...members,
    type: 'Feature',
    geometry,
    // STAC wants both or neither.
    ...(geometry === null || bbox === null ? {} : { bbox }),
    properties: toProperties(item['properties']),
    collection: ref.collectionId,
    links: [
      ...copyLinks(item['links'], base),
      ...canonicalLink(item['links']),
      { rel: 'root', href: '../../../catalog.json', type: 'application/json' },
      { rel: 'parent', href: '../../collection.json', type: 'application/json' },
      { rel: 'collection', href: '../../collection.json', type: 'application/json' },
    ],
    assets: localAssets(item['assets'], base, files),
  });
}

/** A Collection as it lies in the folder; `from` is the catalog's own, where it could be had. */
export function toLocalCollection(from: StacCollection | null, ref: ItemRef, item: StacItem): JsonObject {
  const { assets, ...members } = withoutNulls(from ?? {});
  const base = addressOf(members['links']);
  const { datetimeMicros } = timeOf(item);
  const start = datetimeMicros === null ? null : new Date(datetimeMicros / 1000).toISOString();
  const interval = [start?.replace('.000Z', 'Z') ?? null, null];
  return withoutSecrets({
    stac_version: stacVersion,
    description: ref.collectionId,
    license: 'other',
    extent: {
      spatial: { bbox: [bboxOf(item) ?? [-180, -90, 180, 90]] },
      temporal: { interval: [interval] },
    },
    ...members,
    type: 'Collection',
    id: ref.collectionId,
    links: [
      ...copyLinks(members['links'], base),
      ...canonicalLink(members['links']),
      { rel: 'root', href: '../catalog.json', type: 'application/json' },
      { rel: 'parent', href: '../catalog.json', type: 'application/json' },
    ],
    ...(assets === undefined ? {} : { assets: localAssets(assets, base) }),
  });
}

/** The Catalog at the top of a destination. */
export function newLocalCatalog(): JsonObject {
  return {
    stac_version: stacVersion,
    type: 'Catalog',
    id: 'swath-downloads',
    title: 'Downloads',
    description: 'Items brought home by Swath, with their files.',
    links: [{ rel: 'root', href: './catalog.json', type: 'application/json' }],
  };
}

/** Where a catalog or collection leads downwards. */
export interface DownLink {
  href: string;
  /** QGIS names what it shows by it; without one, by the last part of `href`, which all have in common. */
  title: string;
}

/** A catalog or collection with links downwards; itself when it has them all. */
export function addLinks(parent: JsonObject, rel: 'child' | 'item', down: readonly DownLink[]): JsonObject {
  const known = hrefsOf(parent, rel);
  const missing = new Map(down.filter(({ href }) => !known.has(href)).map((link) => [link.href, link]));
  if (missing.size === 0) return parent;
  const type = rel === 'item' ? geojson : 'application/json';
  const added = [...missing.values()].map(({ href, title }) => ({ rel, href, type, title }));
  return { ...parent, links: [...linksOf(parent), ...added] };
}

/** Where a catalog's or collection's links downwards lead. */
export function hrefsOf(parent: JsonObject, rel: 'child' | 'item'): Set<unknown> {
  return new Set(
    linksOf(parent).map((link) => (isJsonObject(link) && link['rel'] === rel ? link['href'] : null)),
  );
}

/** What people know a Collection by. */
export function titleOf(collection: JsonObject, ref: Pick<ItemRef, 'collectionId'>): string {
  const { title } = collection;
  return typeof title === 'string' && title !== '' ? title : ref.collectionId;
}

function linksOf({ links }: JsonObject): unknown[] {
  return Array.isArray(links) ? links : [];
}

// As text and not percent-encoded: readers take a relative href for a path. Safe names hold no `#`, `?` or `%`.
function localAssets(
  assets: unknown,
  base: string | null,
  files: ReadonlyMap<string, LocalFile> = new Map(),
): JsonObject {
  if (!isJsonObject(assets)) return {};
  return Object.fromEntries(
    Object.entries(assets).flatMap(([key, asset]) => {
      if (!isJsonObject(asset)) return [];
      const file = files.get(key);
      const { href, ...members } = withoutNulls(asset);
      if (file !== undefined)
        return [[key, { href: `./${file.file}`, ...members, ...factsOf(members, file) }]];
      // An asset without an address is none to STAC.
      return typeof href === 'string' && href !== ''
        ? [[key, { href: toAbsolute(href, base), ...members }]]
        : [];
    }),
  );
}

// The catalog may have announced another file since, or before.
function factsOf(members: JsonObject, { bytes, checksum, announced }: LocalFile): JsonObject {
  const facts = { 'file:size': bytes, 'file:checksum': announced ?? checksum };
  return Object.fromEntries(Object.entries(facts).filter(([name]) => members[name] !== undefined));
}

// Some servers write down what they don't have, which their own schemas forbid.
function withoutNulls(from: JsonObject, except: readonly string[] = []): JsonObject {
  return Object.fromEntries(
    Object.entries(from).filter(([name, value]) => value !== null || except.includes(name)),
  );
}

// Extensions give a null a meaning; of the common members only `datetime` may be one.
function toProperties(properties: unknown): JsonObject {
  const members = isJsonObject(properties) ? properties : {};
  const entries = Object.entries(members).filter(([name, value]) => value !== null || name.includes(':'));
  return { datetime: null, ...Object.fromEntries(entries) };
}

function copyLinks(links: unknown, base: string | null): JsonObject[] {
  return readLinks(links)
    .filter(({ rel }) => !notCopied.has(rel))
    .map((link) => ({ ...link, href: toAbsolute(link.href, base) }));
}

// What relative hrefs of the source are relative to (STAC 1.0, "Relative vs Absolute links").
function addressOf(links: unknown): string | null {
  const known = readLinks(links).filter(({ href }) => /^https?:/i.test(href));
  const self = known.find(({ rel }) => rel === 'self') ?? known.find(({ rel }) => rel === 'canonical');
  return self === undefined ? null : withoutQuery(self.href);
}

function toAbsolute(href: string, base: string | null): string {
  if (base === null || URL.canParse(href) || !URL.canParse(href, base)) return href;
  return new URL(href, base).href;
}

function canonicalLink(links: unknown): JsonObject[] {
  const known = readLinks(links).filter(({ href }) => /^https?:/i.test(href));
  const source = known.find(({ rel }) => rel === 'canonical') ?? known.find(({ rel }) => rel === 'self');
  if (source === undefined) return [];
  return [{ rel: 'canonical', href: withoutQuery(source.href), type: source['type'] ?? 'application/json' }];
}

function readLinks(links: unknown): (JsonObject & { rel: string; href: string })[] {
  if (!Array.isArray(links)) return [];
  return links.flatMap((link: unknown) => {
    if (!isJsonObject(link)) return [];
    const { rel, href } = link;
    if (typeof rel !== 'string' || typeof href !== 'string') return [];
    return rel === '' || href === '' ? [] : [{ ...withoutNulls(link), rel, href }];
  });
}

/** An href without user name, query string and fragment, fit for a file that may be passed on. */
export function withoutQuery(href: string): string {
  return href.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
