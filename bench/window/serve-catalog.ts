import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A catalog on this computer that answers every search with the same pages. */
export interface BenchCatalog {
  baseUrl: string;
  /** When the last byte of the next page that is asked for was handed to the network, in milliseconds since 1970. */
  nextLastByteAtMs(): Promise<number>;
  close(): Promise<void>;
}

/** Serves ready-made pages of Items as a STAC API, each announcing the next. */
export async function serveCatalog(collectionId: string, pages: readonly Buffer[]): Promise<BenchCatalog> {
  const waiting: ((lastByteAtMs: number) => void)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const { origin, pathname, searchParams } = new URL(
      request.url ?? '/',
      `http://${request.headers.host ?? ''}`,
    );
    if (pathname === '/search') {
      const number = Number(searchParams.get('page') ?? 0);
      const page = pages[number] ?? Buffer.from('[]');
      const next = { rel: 'next', href: `${origin}/search?page=${number + 1}` };
      const links = number < pages.length - 1 ? [next] : [];
      response.setHeader('content-type', 'application/geo+json');
      response.write(`{"type":"FeatureCollection","links":${JSON.stringify(links)},"features":`);
      response.write(page);
      response.end('}', () => {
        for (const tell of waiting.splice(0)) tell(performance.timeOrigin + performance.now());
      });
      return;
    }
    answerJson(response, describe(origin, pathname, collectionId));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nextLastByteAtMs: () => new Promise((resolve) => waiting.push(resolve)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function describe(origin: string, pathname: string, collectionId: string): object | null {
  const collection = {
    type: 'Collection',
    stac_version: '1.0.0',
    id: collectionId,
    title: 'Bench',
    description: 'Items to measure with.',
    license: 'CC0-1.0',
    extent: { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[null, null]] } },
    links: [],
  };
  if (pathname === '/') {
    const links = [
      { rel: 'data', href: `${origin}/collections` },
      { rel: 'search', href: `${origin}/search`, method: 'POST', type: 'application/geo+json' },
    ];
    return {
      type: 'Catalog',
      stac_version: '1.0.0',
      id: 'bench',
      description: 'Bench',
      conformsTo: ['https://api.stacspec.org/v1.0.0/core', 'https://api.stacspec.org/v1.0.0/item-search'],
      links,
    };
  }
  if (pathname === '/collections') return { collections: [collection], links: [] };
  if (pathname === `/collections/${collectionId}`) return collection;
  if (pathname.endsWith('/queryables')) return { type: 'object', properties: {} };
  return null;
}

function answerJson(response: ServerResponse, body: object | null): void {
  response.statusCode = body ? 200 : 404;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body ?? { description: 'not here' }));
}
