import { Readable } from 'node:stream';
import { brokenOff, type BulkConnection } from './bulk-connection.ts';

// What comes slowly is handed on in small parts now and then, what comes fast in parts of this size at once.
const partBytes = 1024 * 1024;
const patienceMs = 20;
const mostBufferedParts = 2;

/** A body of known length, handed on in large parts of the memory that it was read into. */
export class BulkBody extends Readable {
  readonly #connection: BulkConnection;
  readonly #onEnd: (isWhole: boolean) => void;
  #leftBytes: number;
  #pending: Buffer | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;
  #failure: Error | null = null;

  /** `onEnd` is told once whether the connection is at the end of the body, and good for the next request. */
  constructor(
    connection: BulkConnection,
    options: { lengthBytes: number; onEnd: (isWhole: boolean) => void },
  ) {
    // A stream of bytes would copy parts together; a part is a thing by itself here.
    super({ objectMode: true, highWaterMark: mostBufferedParts });
    this.#connection = connection;
    this.#leftBytes = options.lengthBytes;
    this.#onEnd = options.onEnd;
    connection.reader = {
      takes: 'bodies',
      take: (bytes) => this.receive(bytes),
      end: (failure) => this.#breakOff(failure ?? brokenOff()),
    };
  }

  /** Takes what was read; false: no more for now. */
  receive(bytes: Buffer): boolean {
    if (this.#isOver) return false;
    const own = bytes.length > this.#leftBytes ? bytes.subarray(0, this.#leftBytes) : bytes;
    this.#leftBytes -= own.length;
    if (this.#pending !== null && !isNext(this.#pending, own)) this.#flush();
    this.#pending = this.#pending === null ? own : joined(this.#pending, own);
    if (this.#leftBytes > 0 && this.#pending.length < partBytes) {
      this.#timer ??= setTimeout(() => this.#flushLate(), patienceMs);
      return true;
    }
    const wantsMore = this.#flush();
    if (this.#leftBytes > 0) return wantsMore;
    // More than announced belongs to nobody, and after it nothing can be relied on.
    this.#finish(own.length === bytes.length);
    this.push(null);
    return own.length === bytes.length;
  }

  // What came before the connection broke is good, and is read before anybody hears of it.
  override read(size?: number): unknown {
    const part: unknown = super.read(size);
    if (part === null && this.#failure !== null && this.readableLength === 0) this.destroy(this.#failure);
    return part;
  }

  override _read(): void {
    if (!this.#isOver) this.#connection.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.#isOver) this.#finish(false);
    callback(error);
  }

  #breakOff(error: Error): void {
    this.#failure = error;
    this.#flush();
    this.#finish(false);
    if (this.readableLength === 0) this.destroy(error);
  }

  #flushLate(): void {
    if (!this.#flush()) this.#connection.pause();
  }

  #flush(): boolean {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const part = this.#pending;
    this.#pending = null;
    return part === null || this.push(part);
  }

  #finish(isWhole: boolean): void {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#connection.reader = null;
    this.#onEnd(isWhole);
  }
}

function isNext(before: Buffer, next: Buffer): boolean {
  return before.buffer === next.buffer && before.byteOffset + before.length === next.byteOffset;
}

function joined(before: Buffer, next: Buffer): Buffer {
  return Buffer.from(before.buffer, before.byteOffset, before.length + next.length);
}
