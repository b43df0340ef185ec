import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCollection, type StacCollection } from '#shared/stac/collection.ts';
import { readItem, type IdentifiedItem, type ItemRef } from '#shared/stac/item.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { readCassettes } from '../catalog/testing/cassettes.ts';
import { featuresIn, fixtureFiles, hasFixtures, noFixtures } from '../catalog/testing/fixtures.ts';
import type { Library } from './library.ts';
import { openLibrary } from './open-library.ts';

const fetchedAtMs = Date.parse('2026-01-01T00:00:00Z');

const documents = [
  ...fixtureFiles(/\.(geo)?json$/).map(({ name, read }) => ({ name, json: JSON.parse(read()) as unknown })),
  ...readCassettes().flatMap(({ name, interactions }) =>
    interactions
      .filter(({ status, body }) => status === 200 && body.startsWith('{'))
      .map(({ body }) => ({ name, json: JSON.parse(body) as unknown })),
  ),
];

describe('recorded answers in the library file', () => {
  let dir = '';
  let library: Library;

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'swath-round-trip-'));
    library = openLibrary({ filePath: join(dir, 'library.sqlite') });
  });

  afterAll(async () => {
    await library.close();
    rmSync(dir, { recursive: true });
  });

  if (!hasFixtures) it.skip(noFixtures, () => undefined);

  it.each(documents.filter(({ json }) => featuresIn(json).length > 0))('items of $name', async ({ json }) => {
    const items = featuresIn(json).flatMap(toItem);
    await library.saveItems(items, fetchedAtMs);
    // Where a file holds an Item twice, the later one stays. None of the recorded links is signed.
    for (const { ref, item } of new Map(items.map((one) => [keyOf(one.ref), one])).values()) {
      expect(library.item(ref)).toEqual({ value: { ref, item }, fetchedAtMs });
    }
  });

  it.runIf(hasFixtures)('collections of all of them', async () => {
    const all = documents.flatMap(({ json }) => collectionsIn(json));
    const distinct = [...new Map(all.map((collection) => [collection.id, collection])).values()];
    expect(distinct.length).toBeGreaterThan(100);
    await library.saveCollections(distinct, fetchedAtMs);
    expect(library.collections()).toEqual({ value: distinct, fetchedAtMs });
  });
});

function toItem(json: unknown): IdentifiedItem[] {
  const reading = readItem(json, { collectionId: 'none' });
  return 'reason' in reading ? [] : [reading];
}

function collectionsIn(json: unknown): StacCollection[] {
  if (!isJsonObject(json)) return [];
  if (Array.isArray(json['collections'])) return json['collections'].flatMap(collectionsIn);
  const collection = 'extent' in json ? readCollection(json) : null;
  return collection === null ? [] : [collection];
}

function keyOf({ collectionId, itemId }: ItemRef): string {
  return `${collectionId} ${itemId}`;
}
