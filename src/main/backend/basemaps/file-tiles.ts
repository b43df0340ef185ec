import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TileFacts } from '#shared/basemap/basemap.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { nameFile, unreadable } from './basemap-error.ts';
import { isTileAddress, tileLimits, type TileAddress } from './tile-set.ts';
import type { TilesOrder, TilesResult } from './tiles.worker.ts';

/** A file of tiles that is read in a thread of its own. */
export interface FileTiles {
  /** What the file calls itself. */
  name: string;
  facts: TileFacts;
  /** Tries its first tiles. @throws AppError `basemap.unreadable` when none of them can be read */
  probe(): Promise<void>;
  /** Null where there is none. @throws AppError `basemap.unreadable`, which names the file */
  tile(address: TileAddress): Promise<Buffer | null>;
  close(): Promise<void>;
}

interface Waiting {
  resolve: (result: TilesResult) => void;
  reject: (error: AppError) => void;
  timer: ReturnType<typeof setTimeout>;
}

type Wish = { filePath: string } | { isProbe: true } | { address: TileAddress };

/** Opens a file. One that takes too long is given up with its thread. @throws AppError `basemap.unreadable` */
export async function openFileTiles(
  filePath: string,
  { answerMs = tileLimits.answerMs }: { answerMs?: number } = {},
): Promise<FileTiles> {
  const worker = new Worker(new URL('./tiles.worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  worker.unref();
  const waiting = new Map<number, Waiting>();
  let lastNumber = 0;
  let end: AppError | null = null;

  const giveUp = (error: AppError): void => {
    end ??= nameFile(error, basename(filePath));
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(end);
    }
    waiting.clear();
    void worker.terminate();
  };
  worker.on('message', (result: TilesResult) => {
    const asked = waiting.get(result.number);
    if (!asked) return;
    waiting.delete(result.number);
    clearTimeout(asked.timer);
    if ('error' in result) asked.reject(nameFile(AppError.fromData(result.error), basename(filePath)));
    else asked.resolve(result);
  });
  worker.on('error', (error) => giveUp(describeEnd(error)));

  const ask = (wish: Wish): Promise<TilesResult> =>
    new Promise((resolve, reject) => {
      if (end) {
        reject(end);
        return;
      }
      const number = ++lastNumber;
      const timer = setTimeout(() => {
        giveUp(
          unreadable({
            why: `It didn’t answer within ${String(answerMs / 1000)} s.`,
            mend: 'Copy it to a disk of this computer, or choose another file.',
          }),
        );
      }, answerMs);
      waiting.set(number, { resolve, reject, timer });
      worker.postMessage({ number, ...wish } satisfies TilesOrder);
    });

  const result = await ask({ filePath }).catch(async (thrown: unknown) => {
    await worker.terminate();
    throw thrown;
  });
  if (!('opened' in result)) throw new Error('The thread answered another question');
  const { name, facts } = result.opened;
  return {
    name,
    facts,
    async probe() {
      await ask({ isProbe: true });
    },
    async tile(address) {
      if (!isTileAddress(address, facts.maxZoom) || address.z < facts.minZoom) return null;
      const answer = await ask({ address });
      return 'tile' in answer && answer.tile ? Buffer.from(answer.tile) : null;
    },
    async close() {
      giveUp(new AppError('cancelled', 'The basemap was closed'));
      await worker.terminate();
    },
  };
}

function describeEnd(error: unknown): AppError {
  const isMemory = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
  const why = isMemory ? 'It takes too much memory.' : 'It could not be read.';
  return new AppError('basemap.unreadable', why, {
    details: { file: '', why, mend: 'Choose another file.' },
    cause: error,
  });
}
