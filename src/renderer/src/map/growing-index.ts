import Flatbush from 'flatbush';
import type { WorldBox } from './footprint-set.ts';

/** A finished index over a stretch of rows. */
interface Chunk {
  tree: Flatbush;
  /** Position in the tree → row. */
  rows: Uint32Array;
}

/**
 * A spatial index of boxes that grows. Flatbush can't: so there are several, and a new one takes in those before it that
 * are not much larger. Each row is indexed again only as often as the whole doubles, and there are never many.
 */
export class GrowingIndex {
  readonly #chunks: Chunk[] = [];

  /** How many indexes there are; grows with the logarithm of the rows. */
  get chunkCount(): number {
    return this.#chunks.length;
  }

  /** Adds rows by their boxes in `bounds`, four numbers a row; a box of NaN is nowhere and is left out. */
  append(bounds: Float64Array, from: number, to: number): void {
    let rows = placedRows(bounds, from, to);
    if (rows.length === 0) return;
    for (
      let last = this.#chunks.at(-1);
      last && last.rows.length <= rows.length * 2;
      last = this.#chunks.at(-1)
    ) {
      const merged = new Uint32Array(last.rows.length + rows.length);
      merged.set(last.rows);
      merged.set(rows, last.rows.length);
      rows = merged;
      this.#chunks.pop();
    }
    this.#chunks.push({ tree: buildTree(bounds, rows), rows });
  }

  /** Calls back with every row whose box touches a box, neighbour by neighbour. */
  forEachIn({ minX, minY, maxX, maxY }: WorldBox, visit: (row: number) => void): void {
    for (const { tree, rows } of this.#chunks) {
      tree.search(minX, minY, maxX, maxY, (position) => {
        visit(rows[position] ?? 0);
        return false;
      });
    }
  }
}

function placedRows(bounds: Float64Array, from: number, to: number): Uint32Array {
  const rows = new Uint32Array(to - from);
  let count = 0;
  for (let row = from; row < to; row++) if (!Number.isNaN(bounds[row * 4])) rows[count++] = row;
  return rows.slice(0, count);
}

function buildTree(bounds: Float64Array, rows: Uint32Array): Flatbush {
  const tree = new Flatbush(rows.length);
  for (const row of rows) {
    const at = row * 4;
    tree.add(bounds[at] ?? 0, bounds[at + 1] ?? 0, bounds[at + 2], bounds[at + 3]);
  }
  tree.finish();
  return tree;
}
