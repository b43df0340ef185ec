import type { Coords } from 'leaflet';

/** A place on the map in world units; copies of the world beside the first one are places of their own. */
export interface WorldPlace {
  x: number;
  y: number;
}

/** The tiles of a basemap that should be on the map and can't be shown: there the bundled map stands in. */
export class MissingTiles {
  readonly #keys = new Set<string>();

  /** Notes a tile. */
  add(tile: Pick<Coords, 'x' | 'y' | 'z'>): void {
    this.#keys.add(keyOf(tile));
  }

  /** Forgets a tile. */
  delete(tile: Pick<Coords, 'x' | 'y' | 'z'>): void {
    this.#keys.delete(keyOf(tile));
  }

  /** Forgets all of them. */
  clear(): void {
    this.#keys.clear();
  }

  /** Whether the tile at a place is missing, of the tiles of a zoom. */
  has({ x, y }: WorldPlace, z: number): boolean {
    return this.#keys.has(keyOf({ x: Math.floor(x * 2 ** z), y: Math.floor(y * 2 ** z), z }));
  }
}

function keyOf({ x, y, z }: Pick<Coords, 'x' | 'y' | 'z'>): string {
  return `${String(z)}/${String(x)}/${String(y)}`;
}
