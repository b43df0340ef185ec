import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One page of a search, or Items by their ids, as it was asked. */
export interface AskedPage {
  page: number;
  isLight: boolean;
  ids: string[] | null;
}

/** A catalog of `scene-0`, `scene-1`, … with pictures, that can be cut off, and that forgets the places in its answers. */
export interface SceneCatalog {
  origin: string;
  /** Pages in the order in which they were asked for, those that were refused included. */
  asked: AskedPage[];
  /** Items whose picture was asked for. */
  pictures: string[];
  /** Forgets all places that were handed out. */
  forgetPlaces(): void;
  /** Items whose picture can't be had. */
  brokenPictures: Set<string>;
  /** Paths under which it was asked for queryables. */
  queryablesAsked: string[];
  /** Whether it refuses to say what it can be asked. */
  hidesQueryables: boolean;
  /** The page whose link leads back to the first; null where the last has none. */
  turnsBackAfter: number | null;
  /** Items that it gives without an id. */
  unreadable: Set<string>;
  /** What everything but a picture is answered with in place of the catalog's answer; null for none. */
  inPlace: { status: number; text: string } | null;
  /** What a picture is answered with; null for the picture. */
  inPlaceOfPictures: { status: number; text: string } | null;
  /** Called before each page is answered. */
  beforePage: (page: number) => Promise<void> | void;
  /** Called before each picture is answered. */
  beforePicture: () => Promise<void> | void;
  /** Nothing is listening any more. */
  cut(): Promise<void>;
  /** Listens again, at the same address. */
  mend(): Promise<void>;
}

interface Body {
  limit?: number;
  ids?: string[];
  fields?: { include?: string[] };
}

// The smallest GIF there is.
const picture = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAAC', 'base64');

const scenes = { type: 'Collection', id: 'c', links: [] };
const queryables = { type: 'object', properties: { gsd: { type: 'number' } } };

/** Starts one with so many Items; it says how many they are. */
export async function startSceneCatalog(itemCount: number): Promise<SceneCatalog> {
  let generation = 0;
  let port = 0;
  let server: http.Server | null = null;
  const catalog: SceneCatalog = {
    origin: '',
    asked: [],
    pictures: [],
    queryablesAsked: [],
    hidesQueryables: false,
    brokenPictures: new Set(),
    turnsBackAfter: null,
    unreadable: new Set(),
    inPlace: null,
    inPlaceOfPictures: null,
    forgetPlaces: () => (generation += 1),
    beforePage: () => undefined,
    beforePicture: () => undefined,
    cut: () => close(server),
    mend: () => listen(),
  };

  const toScene = (index: number, isLight: boolean) => ({
    type: 'Feature',
    ...(catalog.unreadable.has(`scene-${String(index)}`) ? {} : { id: `scene-${String(index)}` }),
    collection: 'c',
    properties: { datetime: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString() },
    ...(isLight
      ? {}
      : {
          geometry: { type: 'Point', coordinates: [index % 180, 10] },
          assets: {
            thumbnail: {
              href: `${catalog.origin}/picture/${String(index)}.gif`,
              type: 'image/gif',
              roles: ['thumbnail'],
            },
            data: { href: `${catalog.origin}/data/${String(index)}.tif`, type: 'image/tiff', 'file:size': 4 },
          },
        }),
  });

  function pickIndexes({ ids }: Body, { first, limit }: { first: number; limit: number }): number[] {
    if (ids) return ids.map((id) => Number(id.replace('scene-', '')));
    const length = Math.max(0, Math.min(limit, itemCount - first));
    return Array.from({ length }, (_, index) => first + index);
  }

  const pageAfter = (page: number): number => (page === catalog.turnsBackAfter ? 0 : page + 1);

  async function answerSearch(url: URL, body: Body): Promise<{ status: number; json: unknown }> {
    const page = Number(url.searchParams.get('page') ?? 0);
    const isLight = body.fields !== undefined || url.searchParams.has('light');
    catalog.asked.push({ page, isLight, ids: body.ids ?? null });
    await catalog.beforePage(page);
    if (url.searchParams.has('page') && Number(url.searchParams.get('generation')) !== generation)
      return { status: 400, json: { description: 'unknown token' } };
    const limit = Number(url.searchParams.get('limit') ?? body.limit ?? 10);
    const first = page * limit;
    const indexes = pickIndexes(body, { first, limit });
    const isLast = body.ids !== undefined || first + limit >= itemCount;
    const place = `page=${String(pageAfter(page))}&limit=${String(limit)}&generation=${String(generation)}${isLight ? '&light' : ''}`;
    return {
      status: 200,
      json: {
        type: 'FeatureCollection',
        features: indexes.map((index) => toScene(index, isLight)),
        numberMatched: body.ids ? indexes.length : itemCount,
        links: isLast ? [] : [{ rel: 'next', href: `${catalog.origin}/search?${place}` }],
      },
    };
  }

  function answerInPlace(kind: string | undefined, response: http.ServerResponse): boolean {
    const inPlace = kind === 'picture' ? catalog.inPlaceOfPictures : catalog.inPlace;
    if (inPlace) response.writeHead(inPlace.status, { 'content-type': 'text/html' }).end(inPlace.text);
    return inPlace !== null;
  }

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', catalog.origin);
    const sent = await text(request);
    const [, kind, file = ''] = url.pathname.split('/');
    if (answerInPlace(kind, response)) return;
    if (kind === 'picture') {
      const id = `scene-${file.replace('.gif', '')}`;
      catalog.pictures.push(id);
      await catalog.beforePicture();
      response.writeHead(catalog.brokenPictures.has(id) ? 404 : 200).end(picture);
    } else if (kind === 'data') {
      response.writeHead(200, { 'content-length': '4' }).end('II*\0');
    } else if (kind === 'search') {
      const body = sent === '' ? {} : (JSON.parse(sent) as Body);
      const { status, json } = await answerSearch(url, body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    } else if (url.pathname.endsWith('/queryables')) {
      catalog.queryablesAsked.push(url.pathname);
      const status = catalog.hidesQueryables ? 403 : 200;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(queryables));
    } else {
      const json = file === '' ? { collections: [scenes], links: [] } : scenes;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    }
  }

  async function listen(): Promise<void> {
    const started = http.createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => started.listen(port, '127.0.0.1', resolve));
    port = (started.address() as AddressInfo).port;
    catalog.origin = `http://127.0.0.1:${String(port)}`;
    server = started;
  }

  await listen();
  return catalog;
}

async function close(server: http.Server | null): Promise<void> {
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
}
