import type { ItemRef, StacItem } from '#shared/stac/item.ts';
import { systemClock, type Clock } from '../ports.ts';
import { startService, type ServiceOptions } from '../service/start-service.ts';
import { createDemoAssets } from './files/demo-assets.ts';
import { findLastItemCount, openDemoLibrary } from './store-demo.ts';

/** Seed and size of the catalog that a new user sees. */
export const defaultDemo = { seed: 1, itemCount: 20_000 } as const;

/** How a demo catalog is served. What is left out is as in ServiceOptions. */
export interface DemoOptions extends Pick<
  ServiceOptions,
  'port' | 'storagePort' | 'token' | 'linkTtlSeconds' | 'maxConcurrent' | 'clock'
> {
  /** Folder for the generated catalog, which is kept for the next start. */
  dataDir: string;
  seed?: number;
  /** Left out: as many as there were the last time in this folder, or 20,000. */
  itemCount?: number;
  onProgress?: (progress: { itemsDone: number; itemCount: number }) => void;
  /** Stops the making of the catalog. */
  signal?: AbortSignal;
}

/** A demo catalog that is being served on this computer. */
export interface RunningDemo {
  baseUrl: string;
  assetUrl: string;
  /** Origin that signed links point to. */
  storageOrigin: string;
  /** The access token; a new one at every start unless given. */
  token: string;
  close(): Promise<void>;
}

/** Makes the demo catalog if need be, some seconds for 20,000 items, and serves it. Rejects when the port is taken. */
export async function startDemo(options: DemoOptions): Promise<RunningDemo> {
  const { dataDir, seed = defaultDemo.seed, onProgress, signal, itemCount: _, ...serving } = options;
  const clock: Clock = serving.clock ?? systemClock;
  const itemCount = options.itemCount ?? (await findLastItemCount(dataDir, seed)) ?? defaultDemo.itemCount;
  const library = await openDemoLibrary({ dataDir, seed, itemCount, nowMs: clock.now(), onProgress, signal });
  const findItem = (ref: ItemRef): StacItem | null => library.item(ref)?.value.item ?? null;
  const assets = createDemoAssets({ findItem });
  const closeAll = async (): Promise<void> => {
    await assets.close();
    await library.close();
  };
  try {
    const service = await startService({
      ...serving,
      library,
      assets,
      title: 'Swath demo catalog',
      description: 'Generated satellite imagery: no account, no network, nothing in it is real.',
    });
    const { baseUrl, assetUrl, storageOrigin, token } = service;
    return {
      baseUrl,
      assetUrl,
      storageOrigin,
      token,
      close: async () => {
        await service.close();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
