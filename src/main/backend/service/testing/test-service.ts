import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import type { AssetRef } from '../../links/link.ts';
import type { Library } from '../../library/library.ts';
import { openLibrary } from '../../library/open-library.ts';
import type { AssetFile, AssetSource } from '../asset-source.ts';
import { startService, type RunningService, type ServiceOptions } from '../start-service.ts';

/** A service over a small library in a temporary file, for tests. */
export interface TestService extends RunningService {
  library: Library;
  assets: MemoryAssets;
  /** Moves what the service takes for now, milliseconds since 1970. */
  clock: { nowMs: number };
  /** Asks a path below the base address (or an absolute URL) with the token. */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  stop(): Promise<void>;
}

/** How to ask. */
export interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: string;
}

/** A whole answer. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: JsonObject;
}

/** Assets in memory; reads are noted. */
export class MemoryAssets implements AssetSource {
  readonly files = new Map<string, AssetFile>();

  add(ref: AssetRef, bytes: Buffer, facts: Partial<AssetFile> = {}): void {
    this.files.set(keyOf(ref), {
      sizeBytes: bytes.length,
      mediaType: 'image/tiff',
      etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
      lastModified: new Date('2026-01-02T03:04:05Z'),
      checksum: `1220${createHash('sha256').update(bytes).digest('hex')}`,
      read: ({ start, end }) => chunksOf(bytes.subarray(start, end)),
      ...facts,
    });
  }

  open(ref: AssetRef): Promise<AssetFile | null> {
    return Promise.resolve(this.files.get(keyOf(ref)) ?? null);
  }
}

/** Starts a service; the library is filled by `fill`. */
export async function startTestService(
  fill: (library: Library, assets: MemoryAssets) => void | Promise<void>,
  options: Partial<ServiceOptions> = {},
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'swath-service-'));
  const library = openLibrary({ filePath: join(folder, 'library.sqlite') });
  const assets = new MemoryAssets();
  const clock = { nowMs: Date.parse('2026-06-01T12:00:00Z') };
  await fill(library, assets);
  const service = await startService({
    library,
    assets,
    token: 'test-token',
    clock: { now: () => clock.nowMs },
    ...options,
  });
  return {
    ...service,
    library,
    assets,
    clock,
    ask: (path, ask = {}) =>
      send(path.startsWith('http') ? path : service.baseUrl + path, service.token, ask),
    stop: async () => {
      await service.close();
      await library.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An Item with the members that tests look at. */
export function makeItem(collectionId: string, itemId: string, members: JsonObject = {}): IdentifiedItem {
  const { properties, ...others } = members;
  const item = {
    type: 'Feature',
    stac_version: '1.0.0',
    stac_extensions: [],
    id: itemId,
    collection: collectionId,
    geometry: polygonOf([0, 0, 1, 1]),
    bbox: [0, 0, 1, 1],
    properties: { datetime: '2026-01-01T00:00:00.000000Z', ...(properties as JsonObject | undefined) },
    links: [],
    assets: {},
    ...others,
  };
  return { ref: { collectionId, itemId }, item };
}

/** The outline of a box. */
export function polygonOf([w = 0, s = 0, e = 0, n = 0]: readonly number[]): JsonObject {
  const ring = [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

/** Ids of the Items of a page. */
export function idsOf(answer: Answer): unknown[] {
  return featuresOf(answer).map((feature) => feature['id']);
}

/** The Items of a page. */
export function featuresOf(answer: Answer): JsonObject[] {
  return answer.json['features'] as JsonObject[];
}

/** The first link of a relation. */
export function linkOf(answer: Answer | JsonObject, rel: string): JsonObject | undefined {
  const links = ('json' in answer ? (answer.json as JsonObject) : answer)['links'] as JsonObject[];
  return links.find((link) => link['rel'] === rel);
}

async function send(
  url: string,
  token: string,
  { method, headers, json, body }: AskOptions,
): Promise<Answer> {
  const payload = json === undefined ? body : JSON.stringify(json);
  const response = await fetch(url, {
    method: method ?? (payload === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${token}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    redirect: 'manual',
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as JsonObject) : {},
  };
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield await Promise.resolve(bytes.subarray(at, at + 1000));
}

function keyOf({ collectionId, itemId, assetKey }: AssetRef): string {
  return JSON.stringify([collectionId, itemId, assetKey]);
}
