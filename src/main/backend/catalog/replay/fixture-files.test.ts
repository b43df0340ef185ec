import { describe, expect, it } from 'vitest';
import { readCollection, summarizeCollection } from '#shared/stac/collection.ts';
import { readItem } from '#shared/stac/item.ts';
import { toItemRow } from '#shared/stac/item-row.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { featuresIn, fixtureFiles, hasFixtures, noFixtures } from '../testing/fixtures.ts';

const files = fixtureFiles(/\.(geo)?json$/).map(({ name, read }) => ({ name, text: read() }));
const itemFiles = files.filter(({ text }) => featuresIn(JSON.parse(text)).length > 0);
const collectionFiles = files.filter(({ text }) => isCollection(JSON.parse(text)));

describe('recorded files', () => {
  if (!hasFixtures) it.skip(noFixtures, () => undefined);

  it.each(itemFiles)('items of $name are read and shown without a change', ({ text }) => {
    const untouched = featuresIn(JSON.parse(text));
    for (const [index, feature] of featuresIn(JSON.parse(text)).entries()) {
      const reading = readItem(feature, { collectionId: 'none' });
      if ('reason' in reading) {
        // Features that are no Items: they have no id that is a text.
        expect(typeof feature['id']).not.toBe('string');
        continue;
      }
      const row = toItemRow(reading);
      expect(row).toMatchObject({ itemId: feature['id'], collectionId: feature['collection'] ?? 'none' });
      expect(row.footprint === null).toBe(feature['geometry'] == null);
      const assetCount = isJsonObject(feature['assets']) ? Object.keys(feature['assets']).length : 0;
      expect(row.assetCount).toBe(assetCount);
      expect(row.datetime).toEqual(expectedTime(feature));
      expect(reading.item).toEqual(untouched[index]);
    }
  });

  it.each(collectionFiles)('collection $name is read and shown without a change', ({ text }) => {
    const json: unknown = JSON.parse(text);
    const collection = readCollection(json);
    expect(collection).toEqual(JSON.parse(text));
    if (collection === null) return;
    const summary = summarizeCollection(collection);
    expect(summary.title).not.toBe('');
    const hasExtent = isJsonObject(collection['extent']) && 'spatial' in collection['extent'];
    expect(summary.bbox !== null).toBe(hasExtent);
    expect(summary.interval !== null).toBe(hasExtent);
  });
});

function isCollection(json: unknown): boolean {
  return (
    isJsonObject(json) &&
    (json['type'] === 'Collection' || (isJsonObject(json['extent']) && 'license' in json))
  );
}

/** A row has a time whenever the Item says one. */
function expectedTime(feature: Record<string, unknown>): unknown {
  const properties = isJsonObject(feature['properties']) ? feature['properties'] : {};
  const isTimed = ['datetime', 'start_datetime', 'end_datetime'].some(
    (name) => typeof properties[name] === 'string',
  );
  return isTimed ? expect.any(String) : null;
}
