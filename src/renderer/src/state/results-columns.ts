/** A value that a row has in a column; null when it has none. */
export type CellValue = string | number | boolean | null;

/** Numbers in a buffer that grows, so that a page more costs a page and not the whole. NaN is "none". */
export class NumberColumn {
  readonly kind = 'number';
  #values = new Float64Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number | null): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value ?? NaN;
  }

  at(index: number): number {
    return index < this.#length ? (this.#values[index] ?? NaN) : NaN;
  }

  set(index: number, value: number | null): void {
    while (this.#length <= index) this.push(null);
    this.#values[index] = value ?? NaN;
  }
}

/** Texts, each kept once: rows hold its number. */
export class TextColumn {
  readonly kind = 'text';
  readonly #codes = new NumberColumn();
  readonly #codeOf = new Map<string, number>();
  readonly #texts: string[] = [];

  get length(): number {
    return this.#codes.length;
  }

  /** All different texts, in the order in which they came. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  push(text: string | null): void {
    if (text === null) {
      this.#codes.push(null);
      return;
    }
    let code = this.#codeOf.get(text);
    if (code === undefined) {
      code = this.#texts.length;
      this.#codeOf.set(text, code);
      this.#texts.push(text);
    }
    this.#codes.push(code);
  }

  /** Place in `texts`; NaN for none. */
  codeAt(index: number): number {
    return this.#codes.at(index);
  }

  /** The place of a text in `texts`; -1 when no row has it. */
  codeOf(text: string): number {
    return this.#codeOf.get(text) ?? -1;
  }

  at(index: number): string | null {
    return this.#texts[this.#codes.at(index)] ?? null;
  }
}

/** One property of all rows. */
export type Column = NumberColumn | TextColumn;

/** The value of a row in a column. */
export function readCell(column: Column, index: number): string | number | null {
  if (column.kind === 'text') return column.at(index);
  const value = column.at(index);
  return Number.isNaN(value) ? null : value;
}
