import { expect, it } from 'vitest';
import type { CatalogClient, ItemPage } from '../catalog/catalog-client.ts';
import { readItems, type ItemReadout } from './read-items.ts';

/** A catalog that doesn't know `ids`: it gives its whole archive, page after page. */
function endlessCatalog() {
  let pageCount = 0;
  const next = (): Promise<ItemPage> => {
    pageCount += 1;
    const ref = { collectionId: 'c', itemId: `other-${String(pageCount)}` };
    return Promise.resolve({
      items: [{ ref, item: { type: 'Feature', id: ref.itemId } }],
      skipped: [],
      matched: null,
    });
  };
  const catalog = { search: () => ({ next, hasMore: true, isIncomplete: false }) };
  return { catalog: catalog as unknown as CatalogClient, pages: () => pageCount };
}

it('goes through no archive for items that the catalog does not give', async () => {
  const { catalog, pages } = endlessCatalog();
  const read: ItemReadout[] = [];
  const kept: string[] = [];
  await readItems([{ collectionId: 'c', itemId: 'wanted' }], {
    source: {
      connection: { ask: (question: (asked: CatalogClient) => unknown) => question(catalog) },
      library: { item: () => null },
    } as never,
    keep: (items) => Promise.resolve(void kept.push(...items.map(({ ref }) => ref.itemId))),
    onRead: (some) => read.push(...some),
    signal: AbortSignal.timeout(10_000),
  });
  expect(read).toMatchObject([{ ref: { itemId: 'wanted' }, error: { code: 'stac.item-not-found' } }]);
  expect(pages()).toBe(1);
  expect(kept).toEqual([]);
});
