import { Duplex } from 'node:stream';
import { giveBack } from './blocks.ts';
import type { BulkBody } from './bulk-body.ts';
import { brokenOff, type BulkConnection } from './bulk-connection.ts';

const headEnd = Buffer.from('\r\n\r\n');
// Enough for every head that the parser takes, so that it is the parser who says what is too long.
const mostHeadBytes = 64 * 1024;

/** What Node's HTTP parser sees of a connection: the head of an answer, and the body only where it must find its end. */
export class HeadStream extends Duplex {
  readonly #connection: BulkConnection;
  #mode: 'gathering' | 'waiting' | 'passing' | 'left' = 'gathering';
  #held: Buffer = Buffer.alloc(0);
  #onBreak: (error: Error) => void = () => undefined;

  constructor(connection: BulkConnection) {
    super();
    this.#connection = connection;
    this.#readAs('heads');
    connection.resume();
  }

  /** The parser is to have the body too. It would take a connection that breaks off for a body's end: `onBreak` is told instead. */
  passOn(onBreak: (error: Error) => void): void {
    if (this.destroyed) return;
    this.#mode = 'passing';
    this.#onBreak = onBreak;
    this.#readAs('anything');
    if (this.#held.length > 0) this.push(this.#held);
    this.#connection.resume();
  }

  /** The body goes elsewhere, with what has come of it; its first byte lies `offset` bytes after the beginning of a page. */
  leaveTo(body: BulkBody, offset: number): void {
    this.#mode = 'left';
    const held = this.#connection.align(offset, this.#held);
    if (held.length === 0 || body.receive(held)) this.#connection.resume();
  }

  override _read(): void {
    if (this.#mode === 'gathering' || this.#mode === 'passing') this.#connection.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#connection.write(chunk, callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (this.#mode !== 'left') {
      this.#connection.reader = null;
      this.#connection.destroy();
    }
    callback(error);
  }

  /** Node sets this on sockets; the connection has it already. */
  setNoDelay(): this {
    return this;
  }

  /** As `setNoDelay`. */
  setKeepAlive(): this {
    return this;
  }

  /** Whoever sends the request keeps the time. */
  setTimeout(): this {
    return this;
  }

  #readAs(takes: 'heads' | 'anything'): void {
    this.#connection.reader = {
      takes,
      take: (bytes) => this.#take(bytes),
      end: (failure) => this.#end(failure),
    };
  }

  #take(bytes: Buffer): boolean {
    if (this.#mode === 'passing') return this.push(bytes);
    const before = this.#held;
    this.#held = before.length === 0 ? bytes : Buffer.concat([before, bytes]);
    if (before.length > 0) for (const copied of [before, bytes]) giveBack(copied);
    if (this.#mode === 'gathering') this.#handHead();
    return this.#mode === 'gathering';
  }

  #handHead(): void {
    const at = this.#held.indexOf(headEnd);
    const isHopeless = this.#held.length > mostHeadBytes || !looksLikeHead(this.#held);
    if (at < 0 && !isHopeless) return;
    const bytes = at < 0 ? this.#held.length : at + headEnd.length;
    const read = this.#held.subarray(0, bytes);
    const head = Buffer.from(read);
    giveBack(read);
    this.#held = this.#held.subarray(bytes);
    // An early hint is no answer: the next head is.
    if (/^HTTP\/1\.\d 1\d\d/.test(head.toString('latin1', 0, 16))) {
      this.push(head);
      this.#handHead();
      return;
    }
    this.#mode = 'waiting';
    this.push(head);
  }

  #end(failure: Error | null): void {
    // A body without a stated length ends with its connection.
    if (this.#mode !== 'passing') this.destroy(failure ?? brokenOff());
    else if (failure === null) this.push(null);
    else this.#onBreak(failure);
  }
}

function looksLikeHead(bytes: Buffer): boolean {
  const start = 'HTTP/';
  return start.startsWith(bytes.toString('latin1', 0, Math.min(bytes.length, start.length)));
}
