import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { IdentifiedItem } from '#shared/stac/item.ts';
import type { JsonObject } from '#shared/stac/json.ts';
import { makeBytes } from '../../downloads/testing/download-harness.ts';
import { useDownloads, type DownloadsTest } from '../../downloads/testing/use-downloads.ts';
import type { Library } from '../../library/library.ts';
import { openLibrary } from '../../library/open-library.ts';
import { systemClock } from '../../ports.ts';
import type { RunningSharedService } from '../../service/start-shared-service.ts';
import { makeItem } from '../../service/testing/test-service.ts';
import { shareLibrary } from '../share-library.ts';
import { openStacClient, type StacClient } from './stac-client.ts';

/** Of the file that was downloaded. */
export const bytes = makeBytes(300_001);
/** Lets in. */
export const token = 'token-of-the-test';
/** Headers with the token. */
export const auth = { authorization: `Bearer ${token}` };

/** A library of 28 items that is shared, one of which, `scene`, has one of its two files here. */
export interface SharedLibrary {
  downloads: DownloadsTest;
  library: Library;
  service: RunningSharedService;
  client: StacClient;
  /** Answers that were given. */
  answeredCount: number;
  /** Where the downloaded file is. */
  filePath(): string;
  /** Shares it once more. */
  share(options: { token: string | null; host?: string; port?: number }): Promise<RunningSharedService>;
  /** An asset of `scene` as a search gives it. */
  asset(key?: string): Promise<JsonObject & { href: string }>;
  /** The link to its file as the item gives it. */
  downloadLink(headers?: Record<string, string>): Promise<string>;
  /** Asks without what `fetch` does to a path and to headers. */
  get(path: string, headers: Record<string, string>): Promise<RawAnswer>;
}

interface RawAnswer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

/** Gives all tests of a file one. */
export function useSharedLibrary(): SharedLibrary {
  const downloads = useDownloads(bytes, { isShared: true });
  const shared = { downloads, answeredCount: 0 } as SharedLibrary;

  shared.share = (options) =>
    shareLibrary({
      catalog: { name: 'Test', library: shared.library, destinations: () => [downloads.harness.destination] },
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      onAnswer: () => (shared.answeredCount += 1),
      ...options,
    });
  shared.filePath = () => join(downloads.harness.destination, 's2/2024/scene/B04.tif');
  shared.asset = async (key = 'B04') => {
    const [scene] = await shared.client.search('POST', { ids: ['scene'] });
    return (scene?.['assets'] as Record<string, JsonObject & { href: string }>)[key] ?? { href: '' };
  };
  shared.downloadLink = async (headers = {}) => {
    const answer = await shared.client.get(`${shared.service.baseUrl}/collections/s2/items/scene`, headers);
    const { assets } = (await answer.json()) as {
      assets: { B04: { alternate: { download: { href: string } } } };
    };
    return assets.B04.alternate.download.href;
  };
  shared.get = (path, headers) => getRaw({ port: shared.service.port, path, headers });

  beforeAll(async () => {
    downloads.open(
      {
        B04: downloads.asset('B04.tif'),
        meta: downloads.asset('meta.json', { mediaType: 'application/json' }),
      },
      { clock: systemClock },
    );
    const { harness } = downloads;
    await harness.finish(await harness.start(['B04']));
    shared.library = openLibrary({ filePath: join(harness.folder, 'library.sqlite') });
    await fill(shared.library, harness.item);
    shared.service = await shared.share({ token });
    shared.client = await openStacClient(shared.service.baseUrl, auth);
  });
  afterAll(async () => {
    await shared.service.close();
    await shared.library.close();
  });
  return shared;
}

async function fill(library: Library, item: JsonObject & { id: string }): Promise<void> {
  await library.saveCollections([{ id: 's2', description: null, links: [] }, { id: 'odd' }], 1);
  const many = Array.from({ length: 25 }, (_, n) =>
    makeItem('s2', `i${String(n)}`, {
      properties: {
        datetime: `2026-01-${String((n % 9) + 1).padStart(2, '0')}T00:00:00Z`,
        'eo:cloud_cover': n,
      },
    }),
  );
  const scene: IdentifiedItem = { ref: { collectionId: 's2', itemId: 'scene' }, item };
  const cut: IdentifiedItem = {
    ref: { collectionId: 'odd', itemId: 'cut' },
    item: { id: 'cut', collection: 'odd', properties: { datetime: '2025-01-01T00:00:00Z' } },
    isPartial: true,
  };
  const stray = makeItem('unlisted', 'stray', { properties: { datetime: '2024-01-01T00:00:00Z' } });
  await library.saveItems([...many, scene, cut, stray], 1);
}

function getRaw(options: {
  port: number;
  path: string;
  headers: Record<string, string>;
}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', ...options }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}
