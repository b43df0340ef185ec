import { describe, expect, it } from 'vitest';
import type { SearchQuery } from '#shared/search/search-query.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { CatalogClient } from '../catalog/catalog-client.ts';
import { createItemBatch } from './batch-items.ts';

/** A catalog that has every item but "missing", and remembers what it was asked. */
function createCatalog(questions: SearchQuery[]): Pick<CatalogClient, 'search'> {
  return {
    search: (query) => {
      questions.push(query);
      const ids = (query.ids ?? []).filter((id) => id !== 'missing');
      const items = ids.map((itemId): IdentifiedItem => ({
        ref: { collectionId: 'c', itemId },
        item: { id: itemId },
      }));
      return {
        hasMore: false,
        isIncomplete: false,
        next: () => Promise.resolve({ items, skipped: [], matched: null, raw: {} }),
      };
    },
  };
}

describe('items asked for at the same time', () => {
  const open = (questions: SearchQuery[], maxItems = 50) =>
    createItemBatch({
      ask: (question) => question(createCatalog(questions) as CatalogClient),
      delayMs: 1,
      maxItems,
    });

  it('are found with one search a collection', async () => {
    const questions: SearchQuery[] = [];
    const find = open(questions);
    const refs = [
      { collectionId: 'a', itemId: '1' },
      { collectionId: 'a', itemId: '2' },
      { collectionId: 'b', itemId: '1' },
      { collectionId: 'a', itemId: 'missing' },
    ];
    const found = await Promise.all(refs.map(find));
    expect(found.map((item) => item?.id)).toEqual(['1', '2', '1', undefined]);
    expect(questions).toEqual([
      { collections: ['a'], ids: ['1', '2', 'missing'], limit: 3 },
      { collections: ['b'], ids: ['1'], limit: 1 },
    ]);
  });

  it('go in several searches when they are many', async () => {
    const questions: SearchQuery[] = [];
    const find = open(questions, 2);
    await Promise.all(['1', '2', '3', '4', '5'].map((itemId) => find({ collectionId: 'a', itemId })));
    expect(questions.map(({ ids }) => ids)).toEqual([['1', '2'], ['3', '4'], ['5']]);
  });

  it('all fail with their search, and the next ones are asked for anew', async () => {
    let isDown = true;
    const questions: SearchQuery[] = [];
    const find = createItemBatch({
      ask: (question) =>
        isDown ? Promise.reject(new Error('down')) : question(createCatalog(questions) as CatalogClient),
      delayMs: 1,
    });
    const refs = ['1', '2'].map((itemId) => ({ collectionId: 'a', itemId }));
    const outcomes = await Promise.allSettled(refs.map(find));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isDown = false;
    expect((await find({ collectionId: 'a', itemId: '1' }))?.id).toBe('1');
  });
});
