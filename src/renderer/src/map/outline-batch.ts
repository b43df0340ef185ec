const OUTLINES_A_PATH = 8;

/** Strokes many outlines in paths of a few: the time a path takes grows faster than what is in it. */
export class OutlineBatch {
  readonly #stroke: (path: Path2D) => void;
  #path = new Path2D();
  #count = 0;

  constructor(stroke: (path: Path2D) => void) {
    this.#stroke = stroke;
  }

  /** The path to add one more outline to. */
  next(): Path2D {
    if (this.#count === OUTLINES_A_PATH) this.finish();
    this.#count++;
    return this.#path;
  }

  /** Draws what is left. */
  finish(): void {
    if (this.#count > 0) this.#stroke(this.#path);
    this.#path = new Path2D();
    this.#count = 0;
  }
}
