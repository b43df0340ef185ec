import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A small catalog whose answer a test can change: one collection, one page, newest first. */
export interface GrowingCatalog {
  baseUrl: string;
  /** Adds newer items. */
  gain(...ids: string[]): void;
  lose(...ids: string[]): void;
  stop(): Promise<void>;
}

/** Starts one with some items in it. */
export async function startGrowingCatalog(ids: readonly string[]): Promise<GrowingCatalog> {
  let items = ids.map(toFeature);
  const collection = {
    id: 'fields',
    title: 'Fields',
    description: 'Images of fields',
    license: 'proprietary',
    extent: { spatial: { bbox: [[0, 40, 10, 50]] }, temporal: { interval: [[null, null]] } },
    links: [],
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const answers: Record<string, object> = {
      '/': { type: 'Catalog', id: 'growing', stac_version: '1.0.0', links: [] },
      '/collections': { collections: [collection], links: [] },
      '/search': { type: 'FeatureCollection', features: items, links: [] },
    };
    const answer = path.endsWith('/queryables') ? { properties: {} } : answers[path];
    request.resume();
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    gain: (...more) => (items = [...more.map(toFeature), ...items]),
    lose: (...gone) => (items = items.filter(({ id }) => !gone.includes(id))),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function toFeature(id: string, index: number) {
  const west = 1 + index;
  return {
    type: 'Feature',
    stac_version: '1.0.0',
    id,
    collection: 'fields',
    bbox: [west, 45, west + 1, 46],
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [west, 45],
          [west + 1, 45],
          [west + 1, 46],
          [west, 46],
          [west, 45],
        ],
      ],
    },
    properties: { datetime: '2026-05-01T10:00:00Z' },
    assets: {},
    links: [],
  };
}
