/** A label that asks for room: pixels of the world at one zoom. */
interface Wanted {
  x: number;
  y: number;
  align: 'left' | 'right' | 'center';
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const LINE_HEIGHT_PX = 15;
const GAP_PX = 6;
const CELL_PX = 128;
// Longer than any name.
const REACH_PX = 300;

/** The room that labels have taken, in cells so that only near ones are compared. */
export class LabelRoom {
  readonly #cells = new Map<string, Box[]>();
  readonly #worldPx: number;

  constructor(worldPx: number) {
    this.#worldPx = worldPx;
  }

  /** Takes the room of a text so wide, and says whether it was free. */
  take(label: Wanted, widthPx: number): boolean {
    const box = boxOf(label, widthPx);
    if (cellsOf(box).some((key) => this.#cells.get(key)?.some((other) => touch(box, other)))) return false;
    this.#add(box);
    // Where the world ends, the next copy of it begins.
    if (box.left < REACH_PX) this.#add(shift(box, this.#worldPx));
    if (box.right > this.#worldPx - REACH_PX) this.#add(shift(box, -this.#worldPx));
    return true;
  }

  #add(box: Box): void {
    for (const key of cellsOf(box)) {
      const cell = this.#cells.get(key);
      if (cell) cell.push(box);
      else this.#cells.set(key, [box]);
    }
  }
}

function shift(box: Box, distance: number): Box {
  return { ...box, left: box.left + distance, right: box.right + distance };
}

function cellsOf({ left, right, top, bottom }: Box): string[] {
  const keys: string[] = [];
  for (let x = Math.floor(left / CELL_PX); x <= Math.floor(right / CELL_PX); x++) {
    for (let y = Math.floor(top / CELL_PX); y <= Math.floor(bottom / CELL_PX); y++) keys.push(`${x}/${y}`);
  }
  return keys;
}

function boxOf({ x, y, align }: Wanted, width: number): Box {
  const start = align === 'left' ? x - 3 : align === 'right' ? x - GAP_PX - width : x - width / 2;
  const length = align === 'center' ? width : width + GAP_PX + 3;
  return {
    left: start - 3,
    right: start + length + 3,
    top: y - LINE_HEIGHT_PX / 2,
    bottom: y + LINE_HEIGHT_PX / 2,
  };
}

function touch(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
