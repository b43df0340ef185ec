import { describe, expect, it } from 'vitest';
import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import { clientFor } from '../catalog/testing/test-catalog.ts';
import { failureOf } from '../http/testing/failure-of.ts';
import type { RecordingServer } from '../http/testing/recording-server.ts';
import { serve } from '../http/testing/serve.ts';
import { createItemBatch } from './batch-items.ts';

interface Question {
  collections: string[];
  ids: string[];
  limit: number;
}

interface TestCatalog {
  server: RecordingServer;
  find: (ref: ItemRef) => Promise<StacItem | null>;
  /** Refuses every search for as long as it is set. */
  isRefusing: boolean;
}

/** A catalog that has every Item but "missing". */
async function startCatalog(options: { maxItems?: number } = {}): Promise<TestCatalog> {
  const server = await serve(({ body }) => {
    if (catalog.isRefusing) return { status: 400 };
    const { collections, ids } = JSON.parse(body) as Question;
    const present = ids.filter((id) => id !== 'missing');
    const features = present.map((id) => ({ type: 'Feature', id, collection: collections[0] }));
    return { body: { type: 'FeatureCollection', features } };
  });
  const client = clientFor(server);
  const find = createItemBatch({ ask: (question) => question(client), delayMs: 1, ...options });
  const catalog: TestCatalog = { server, find, isRefusing: false };
  return catalog;
}

/** What a catalog was asked; searches that are sent at once arrive in any order. */
function questionsTo({ server }: TestCatalog): Question[] {
  const questions = server.requests.map(({ body }) => JSON.parse(body) as Question);
  return questions.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

describe('items asked for at the same time', () => {
  it('are found with one search a collection, with their signed links', async () => {
    const catalog = await startCatalog();
    const refs = [
      { collectionId: 'a', itemId: '1' },
      { collectionId: 'a', itemId: '2' },
      { collectionId: 'b', itemId: '1' },
      { collectionId: 'a', itemId: 'missing' },
    ];
    const found = await Promise.all(refs.map(catalog.find));
    expect(found.map((item) => item && [item['collection'], item.id])).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
      null,
    ]);
    expect(questionsTo(catalog)).toEqual([
      { collections: ['a'], ids: ['1', '2', 'missing'], limit: 3 },
      { collections: ['b'], ids: ['1'], limit: 1 },
    ]);
    for (const { headers } of catalog.server.requests) expect(headers['x-signed-asset-urls']).toBe('true');
  });

  it('go in several searches when they are many', async () => {
    const catalog = await startCatalog({ maxItems: 2 });
    const ids = ['1', '2', '3', '4', '5'];
    await Promise.all(ids.map((itemId) => catalog.find({ collectionId: 'a', itemId })));
    expect(questionsTo(catalog).map((question) => question.ids)).toEqual([['1', '2'], ['3', '4'], ['5']]);
  });

  it('all fail with their search, and the next ones are asked for anew', async () => {
    const catalog = await startCatalog();
    const ref = { collectionId: 'a', itemId: '1' };
    catalog.isRefusing = true;
    const failures = await Promise.all(
      [ref, { ...ref, itemId: '2' }].map((one) => failureOf(catalog.find(one))),
    );
    expect(failures.map(({ code }) => code)).toEqual(['stac.query-rejected', 'stac.query-rejected']);
    expect(catalog.server.requests).toHaveLength(1);
    catalog.isRefusing = false;
    expect((await catalog.find(ref))?.id).toBe('1');
  });
});
