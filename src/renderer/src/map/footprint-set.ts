import { FootprintShapes, type FootprintPart, type Placed } from './footprint-shapes.ts';
import { GrowingIndex } from './growing-index.ts';
import { lineMeetsBox } from './line-box.ts';
import { isInRing } from './rings.ts';

/** A box in world units. */
export interface WorldBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** A footprint that is in view, and in which copy of the world. */
export interface VisibleFootprint {
  index: number;
  /** World units to add to x. */
  offset: number;
}

/**
 * The footprints of many rows in world units, with a spatial index. `index` everywhere is the place of a row in the order
 * in which it came; a row with neither a usable footprint nor a bbox has no parts and is never found. Rows are added and
 * hidden, never taken out: showing fewer or others of the same rows is no work.
 */
export class FootprintSet<Row extends Placed = Placed> {
  readonly #rows: Row[] = [];
  readonly #indexOfRow = new Map<Row, number>();
  readonly #shapes = new FootprintShapes();
  readonly #tree = new GrowingIndex();
  /** 1 for each row that is shown. */
  #isShown = new Uint8Array(0);

  constructor(rows: readonly Row[] = []) {
    this.show(rows);
  }

  /** Shows exactly these rows; those that are not known yet are added. */
  show(rows: readonly Row[]): void {
    const from = this.#rows.length;
    const indexes = rows.map((row) => this.#indexOfRow.get(row) ?? this.#add(row));
    this.#tree.append(this.#shapes.bounds, from, this.#rows.length);
    this.#isShown = new Uint8Array(this.#rows.length);
    for (const index of indexes) this.#isShown[index] = 1;
  }

  /** Whether any of these rows was shown before. */
  knowsAnyOf(rows: readonly Row[]): boolean {
    return rows.some((row) => this.#indexOfRow.has(row));
  }

  /** How many rows have come. */
  get count(): number {
    return this.#rows.length;
  }

  /** The row of an index. */
  rowAt(index: number): Row | undefined {
    return this.#rows[index];
  }

  /** Whether the row of an index is shown now. */
  isShown(index: number): boolean {
    return this.#isShown[index] === 1;
  }

  /** x and y in turn, of all parts of all rows. */
  get coordinates(): Float64Array {
    return this.#shapes.coordinates;
  }

  /** Four numbers a row: minX, minY, maxX, maxY; NaN for a row without a place. */
  get bounds(): Float64Array {
    return this.#shapes.bounds;
  }

  /** The parts of one footprint; none for a row without a place. */
  partsOf(index: number): readonly FootprintPart[] {
    return this.#shapes.partsOf(index);
  }

  /** The box of one footprint, null for a row without a place. */
  boxOf(index: number): WorldBox | null {
    const at = index * 4;
    const { bounds } = this;
    const minX = bounds[at] ?? NaN;
    if (index >= this.#rows.length || Number.isNaN(minX)) return null;
    return { minX, minY: bounds[at + 1] ?? NaN, maxX: bounds[at + 2] ?? NaN, maxY: bounds[at + 3] ?? NaN };
  }

  /** World units squared; 0 for what has no inside. */
  areaOf(index: number): number {
    return this.#shapes.areaOf(index);
  }

  /** Whether a footprint has sides that are no edges of it; only then `isCut` need be asked. */
  hasCuts(index: number): boolean {
    return this.partsOf(index).length > 1 || this.#isAroundPole(index);
  }

  /**
   * Whether the side that ends at an offset of `coordinates` is no edge of its footprint: a cut along the antimeridian
   * between its parts (RFC 7946 §3.1.9), or the way from a ring around a pole to the map's edge and along it.
   */
  isCut(index: number, at: number): boolean {
    const [lastX = NaN, lastY = NaN, x = NaN, y = NaN] = this.coordinates.subarray(at - 2, at + 2);
    if (this.partsOf(index).length > 1 && isWorldEdge(x) && isWorldEdge(lastX)) return true;
    if (!this.#isAroundPole(index)) return false;
    const edges = Number(isMapEdge(y)) + Number(isMapEdge(lastY));
    return edges === 2 || (edges === 1 && Math.abs(x - lastX) < SAME);
  }

  /** Everything shown that touches a box, in every copy of the world, neighbour by neighbour. */
  findVisible(box: WorldBox): VisibleFootprint[] {
    const found: VisibleFootprint[] = [];
    this.#forEachVisible(box, (index, offset) => found.push({ index, offset }));
    return found;
  }

  /** How many are shown that touch a box, one in two copies of the world twice. */
  countVisible(box: WorldBox): number {
    let count = 0;
    this.#forEachVisible(box, () => count++);
    return count;
  }

  /** The footprints under a point, smallest area first, those of about one size as they came. `tolerance` (world units) helps to hit what is smaller than it. */
  findAt(x: number, y: number, tolerance: number): number[] {
    const box = { minX: x - tolerance, minY: y - tolerance, maxX: x + tolerance, maxY: y + tolerance };
    const hits = new Set<number>();
    this.#forEachVisible(box, (index, offset) => {
      if (this.#isSmallerThan(index, tolerance * 2) || this.#contains(index, x - offset, y)) hits.add(index);
    });
    return [...hits].sort((a, b) => this.#sizeClassOf(a) - this.#sizeClassOf(b) || a - b);
  }

  /** Tiles of one grid differ a little in size, which is no reason to mix up the order in which they came. */
  #sizeClassOf(index: number): number {
    return Math.round(2 * Math.log2(this.#shapes.areaOf(index)));
  }

  /** The footprints that share a point with a box, in the order in which they came. */
  findMeeting(box: WorldBox): number[] {
    const hits = new Set<number>();
    this.#forEachVisible(box, (index, offset) => {
      const shifted = { ...box, minX: box.minX - offset, maxX: box.maxX - offset };
      if (this.#meets(index, shifted)) hits.add(index);
    });
    return [...hits].sort((a, b) => a - b);
  }

  #forEachVisible(box: WorldBox, visit: (index: number, offset: number) => void): void {
    // A footprint may reach one world beyond its own, hence one copy more at both sides.
    for (let offset = Math.floor(box.minX) - 1; offset <= Math.floor(box.maxX) + 1; offset++) {
      const shifted = { ...box, minX: box.minX - offset, maxX: box.maxX - offset };
      this.#tree.forEachIn(shifted, (index) => {
        if (this.#isShown[index] === 1) visit(index, offset);
      });
    }
  }

  #add(row: Row): number {
    const index = this.#rows.push(row) - 1;
    this.#indexOfRow.set(row, index);
    this.#shapes.add(row);
    return index;
  }

  #contains(index: number, x: number, y: number): boolean {
    // Even-odd over all rings, so that holes count.
    let isInside = false;
    for (const part of this.partsOf(index)) {
      if (part.isRing && isInRing(this.coordinates, part, { x, y })) isInside = !isInside;
    }
    return isInside;
  }

  #meets(index: number, box: WorldBox): boolean {
    const parts = this.partsOf(index);
    return (
      parts.some((part) => lineMeetsBox(this.coordinates, part, box)) ||
      this.#contains(index, box.minX, box.minY)
    );
  }

  #isAroundPole(index: number): boolean {
    const at = index * 4;
    return (this.bounds[at + 2] ?? 0) - (this.bounds[at] ?? 0) > 1 - SAME;
  }

  #isSmallerThan(index: number, size: number): boolean {
    const box = this.boxOf(index);
    return box !== null && (box.maxX - box.minX < size || box.maxY - box.minY < size);
  }
}

// World units: some millimetres.
const SAME = 1e-9;

function isWorldEdge(worldX: number): boolean {
  return Math.abs(worldX - Math.round(worldX)) < SAME;
}

/** Where the map ends in the north and in the south. */
function isMapEdge(worldY: number): boolean {
  return worldY < SAME || worldY > 1 - SAME;
}
