import { describe, expect, it } from 'vitest';
import { fromGetParams } from '#shared/search/wire.ts';
import { searchQuerySchema } from '#shared/search/search-query.ts';
import { isAppError } from '#shared/errors/app-error.ts';
import { summarizeCollection, readCollection } from '#shared/stac/collection.ts';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import { toItemRow } from '#shared/stac/item-row.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { readQueryables } from '#shared/stac/queryables.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import { toStatusError } from '../../http/problem.ts';
import { failureOf } from '../../http/testing/failure-of.ts';
import { silentLogger } from '../../ports.ts';
import type { CatalogClient, ItemPages } from '../catalog-client.ts';
import { createCatalogClient } from '../create-catalog-client.ts';
import { readCassettes, type Interaction } from '../testing/cassettes.ts';
import { featuresIn, hasFixtures, noFixtures } from '../testing/fixtures.ts';
import { notRecordedStatus, replay } from '../testing/replay-server.ts';

const http = createHttpClient({
  credentials: null,
  clock: { now: () => 0 },
  logger: silentLogger,
  maxCatalogRequests: 4,
  wait: () => Promise.resolve(),
});

describe('recorded sessions', () => {
  if (!hasFixtures) it.skip(noFixtures, () => undefined);

  it.each(readCassettes())('$name', async (cassette) => {
    const server = await replay(cassette);
    const got = new Map<string, IdentifiedItem>();
    for (const interaction of cassette.interactions) {
      const { base, path } = splitPath(interaction.url);
      const client = createCatalogClient({ baseUrl: server.rehost(base), http });
      for (const found of await repeat(client, path, interaction)) got.set(keyOf(found), found);
      if (interaction.method === 'HEAD') await repeatHead(server.rehost(interaction.url.href), interaction);
    }

    const recorded = cassette.interactions
      .filter(({ status }) => status === 200)
      .flatMap(({ body }) => featuresIn(body.startsWith('{') ? JSON.parse(body) : null));
    expect(new Set(got.keys())).toEqual(
      new Set(recorded.map((json) => `${String(json['collection'])} ${String(json['id'])}`)),
    );
    for (const json of recorded) {
      const found = got.get(`${String(json['collection'])} ${String(json['id'])}`);
      expect(found?.item).toEqual(json);
    }
    for (const found of got.values()) expect(toItemRow(found)).toMatchObject(found.ref);
    const notAsked = cassette.interactions.filter((interaction) => !server.served.has(interaction));
    expect(notAsked.map(({ method, url }) => `${method} ${url.href}`)).toEqual([]);
  });
});

/** Makes the recorded request through the client, and follows it to its recorded end. Returns the Items it gave. */
async function repeat(
  client: CatalogClient,
  path: string[],
  interaction: Interaction,
): Promise<IdentifiedItem[]> {
  const [head, collectionId] = path;
  if (interaction.method === 'HEAD') return [];
  if (head === 'search') return readSearch(client, interaction);
  if (head === undefined) {
    expect(await client.landingPage()).toHaveProperty('links');
  } else if (head === 'queryables') {
    expect(readQueryables(await client.queryables([])).length).toBe(countProperties(interaction.body));
  } else if (collectionId === undefined) {
    await readCollections(client, interaction.body);
  } else {
    return repeatInCollection(client, path.slice(1), interaction);
  }
  return [];
}

async function repeatInCollection(
  client: CatalogClient,
  [collectionId = '', kind, itemId]: string[],
  { url, status, body }: Interaction,
): Promise<IdentifiedItem[]> {
  if (itemId !== undefined) {
    const item = client.item({ collectionId, itemId });
    if (status === 200) return [await item];
    const details = { itemId, reason: reasonIn(body) };
    expect(await failureOf(item)).toMatchObject({ code: 'stac.item-not-found', details });
  } else if (kind === 'items') {
    const limit = url.searchParams.get('limit');
    return readAll(client.items(collectionId, limit === null ? {} : { limit: Number(limit) }));
  } else if (kind === 'queryables') {
    expect(readQueryables(await client.queryables([collectionId])).length).toBe(countProperties(body));
  } else if (status === 200) {
    expect((await client.collection(collectionId)).id).toBe(collectionId);
  } else {
    const details = { collectionId, reason: reasonIn(body) };
    expect(await failureOf(client.collection(collectionId))).toMatchObject({
      code: 'stac.collection-not-found',
      details,
    });
  }
  return [];
}

async function readSearch(
  client: CatalogClient,
  request: Pick<Interaction, 'method' | 'url' | 'requestBody' | 'body'>,
): Promise<IdentifiedItem[]> {
  if (request.method === 'GET') {
    return readAll(client.search(fromGetParams(new Map(request.url.searchParams)), { method: 'get' }));
  }
  // A body with a token is a later page: it is reached by following links.
  const query = searchQuerySchema.safeParse(JSON.parse(request.requestBody ?? '{}'));
  if (!query.success) return [];
  const pages = client.search(query.data);
  const page = await pages.next();
  const first: unknown = JSON.parse(request.body);
  expect(page?.matched ?? null).toBe(isJsonObject(first) ? (first['numberMatched'] ?? null) : null);
  return [...(page?.items ?? []), ...(await readAll(pages))];
}

/** Reads pages to the end of what was recorded; no Item comes twice and none is skipped. */
async function readAll(pages: ItemPages): Promise<IdentifiedItem[]> {
  const items: IdentifiedItem[] = [];
  try {
    for (let page = await pages.next(); page !== null; page = await pages.next()) {
      items.push(...page.items);
      expect(page.skipped).toEqual([]);
    }
  } catch (error) {
    if (!isAppError(error, 'http.unexpected-status') || error.details['status'] !== notRecordedStatus)
      throw error;
  }
  expect(new Set(items.map(keyOf)).size).toBe(items.length);
  return items;
}

async function readCollections(client: CatalogClient, body: string): Promise<void> {
  const collections = await client.collections();
  const recorded = JSON.parse(body) as { collections: unknown[] };
  expect(collections).toEqual(recorded.collections);
  for (const collection of collections) {
    expect(readCollection(collection)).toBe(collection);
    expect(summarizeCollection(collection).title).not.toBe('');
  }
}

async function repeatHead(url: string, { status }: Interaction): Promise<void> {
  const answer = await http.send({ url, method: 'HEAD', auth: 'none' });
  // The 301s that S3 gives here have no Location, so there is nothing to follow.
  expect(answer.status).toBe(status);
  if (status !== 200) expect(toStatusError(answer, 0).details['status']).toBe(status);
}

function splitPath(url: URL): { base: string; path: string[] } {
  const match = /^(.*?)\/((?:search|collections|queryables)(?:\/.*)?)$/.exec(url.pathname);
  if (!match) return { base: url.origin + url.pathname, path: [] };
  return { base: url.origin + (match[1] ?? ''), path: (match[2] ?? '').split('/').map(decodeURIComponent) };
}

function countProperties(body: string): number {
  const json = JSON.parse(body) as { properties: object };
  return Object.keys(json.properties).length;
}

function reasonIn(body: string): string {
  return (JSON.parse(body) as { description: string }).description;
}

function keyOf({ ref }: IdentifiedItem): string {
  return `${ref.collectionId} ${ref.itemId}`;
}
