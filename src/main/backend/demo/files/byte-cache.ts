/** Keeps the most recently used values up to a number of bytes. */
export class ByteCache<Value> {
  readonly #entries = new Map<string, { value: Value; sizeBytes: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, sizeBytes: number): void {
    this.delete(key);
    this.#entries.set(key, { value, sizeBytes });
    this.#bytes += sizeBytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.sizeBytes ?? 0;
    this.#entries.delete(key);
  }
}
