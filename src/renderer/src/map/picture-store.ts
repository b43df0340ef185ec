import { toWorldX, toWorldY } from '#shared/geo/mercator.ts';
import { toItemKey } from '#shared/stac/item-key.ts';
import type { ItemRow } from '#shared/stac/item-row.ts';
import type { ItemRef } from '#shared/stac/item.ts';
import type { PictureCorners } from '#shared/stac/picture-corners.ts';

/** Where pictures of footprints come from. */
export interface PictureSource {
  /** Address of an item's picture; null where there is none. */
  urlOf: (row: ItemRow) => string | null;
  /** Where it lies; null where nothing tells. */
  cornersOf: (ref: ItemRef) => Promise<PictureCorners | null>;
}

/** A picture, and its corners in world units: north-west, north-east, south-west; null where nothing tells. */
export interface LoadedPicture {
  image: ImageBitmap;
  corners: readonly (readonly [x: number, y: number])[] | null;
}

const maxAtOnce = 4;
const maxKept = 200;
/** Larger ones are made smaller: they are shown small. */
const maxSidePx = 640;

/** The pictures of what is in view; what has left it before its turn came is not fetched. */
export class PictureStore {
  readonly #source: PictureSource;
  readonly #onLoaded: () => void;
  /** Null for what can't be had now, until it is out of view. */
  readonly #kept = new Map<string, LoadedPicture | null>();
  readonly #loading = new Set<string>();
  #wanted: readonly ItemRow[] = [];
  #isClosed = false;

  constructor(source: PictureSource, onLoaded: () => void) {
    this.#source = source;
    this.#onLoaded = onLoaded;
  }

  /** Whether an item has a picture at all. */
  has(row: ItemRow): boolean {
    return this.#source.urlOf(row) !== null;
  }

  /** The picture of an item, where it has come. */
  find(ref: ItemRef): LoadedPicture | null {
    return this.#kept.get(toItemKey(ref)) ?? null;
  }

  /** Fetches the pictures of these, and no others. */
  want(rows: readonly ItemRow[]): void {
    this.#wanted = rows;
    const keys = new Set(rows.map(toItemKey));
    for (const [key, picture] of this.#kept) {
      if (keys.has(key)) continue;
      if (picture === null || this.#kept.size > maxKept) this.#forget(key);
    }
    this.#loadNext();
  }

  /** Lets go of all pictures. */
  close(): void {
    this.#isClosed = true;
    for (const key of [...this.#kept.keys()]) this.#forget(key);
  }

  #forget(key: string): void {
    this.#kept.get(key)?.image.close();
    this.#kept.delete(key);
  }

  #loadNext(): void {
    for (const row of this.#wanted) {
      const key = toItemKey(row);
      if (this.#loading.size >= maxAtOnce || this.#isClosed) return;
      if (this.#kept.has(key) || this.#loading.has(key)) continue;
      this.#loading.add(key);
      void this.#load(row)
        .catch(() => null)
        .then((picture) => {
          this.#loading.delete(key);
          if (this.#isClosed) {
            picture?.image.close();
            return;
          }
          this.#kept.set(key, picture);
          if (picture) this.#onLoaded();
          this.#loadNext();
        });
    }
  }

  async #load(row: ItemRow): Promise<LoadedPicture | null> {
    const url = this.#source.urlOf(row);
    if (url === null) return null;
    const [image, corners] = await Promise.all([loadImage(url), this.#source.cornersOf(row)]);
    if (!corners) return { image, corners };
    const [northWest, northEast, , southWest] = corners;
    const x = toWorldX(northWest[0]);
    const places = [northWest, northEast, southWest].map(([longitude, latitude]) => {
      const own = toWorldX(longitude);
      // Across the antimeridian in one piece.
      return [own + Math.round(x - own), toWorldY(latitude)] as const;
    });
    return { image, corners: places };
  }
}

async function loadImage(url: string): Promise<ImageBitmap> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const { naturalWidth, naturalHeight } = image;
  const factor = Math.min(1, maxSidePx / Math.max(naturalWidth, naturalHeight));
  return createImageBitmap(image, {
    resizeWidth: Math.max(1, Math.round(naturalWidth * factor)),
    resizeHeight: Math.max(1, Math.round(naturalHeight * factor)),
  });
}
