import type { VectorTileColours } from './vector-tile-style.ts';

/** A tile to be fetched and painted, or one that nobody waits for any more. */
export type TileOrder =
  | { number: number; url: string; zoom: number; sizePx: number; ratio: number; colours: VectorTileColours }
  | { cancelled: number };

/** The painted tile; null where there is none, or it can't be read. */
export interface TilePicture {
  number: number;
  picture: ImageBitmap | null;
}

/** Fetches and paints vector tiles in a worker: whatever is in them, the window goes on. */
export class VectorTileEngine {
  readonly #worker = new Worker(new URL('./vector-tile-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, (picture: ImageBitmap | null) => void>();
  #lastNumber = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<TilePicture>) => {
      this.#waiting.get(data.number)?.(data.picture);
      this.#waiting.delete(data.number);
    });
  }

  /** Paints a tile; returns the way to give it up. */
  paint(
    tile: Omit<Exclude<TileOrder, { cancelled: number }>, 'number'>,
    take: (picture: ImageBitmap | null) => void,
  ): () => void {
    const number = ++this.#lastNumber;
    this.#waiting.set(number, take);
    this.#send({ number, ...tile });
    return () => {
      if (this.#waiting.delete(number)) this.#send({ cancelled: number });
    };
  }

  /** Ends the worker; nothing is painted after this. */
  stop(): void {
    this.#waiting.clear();
    this.#worker.terminate();
  }

  #send(order: TileOrder): void {
    this.#worker.postMessage(order);
  }
}
