import type { JsonObject } from '#shared/stac/json.ts';
import { isRepeatable, valueTag } from './value-tags.ts';

const powersOfTen = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12];

/** Reads what a ValueWriter wrote. Bytes that none wrote end in a RangeError or TypeError. */
export class ValueReader {
  readonly #bytes: Buffer;
  #at: number;
  readonly #seen: unknown[] = [];

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  readCount(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#readByte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  read(before: string | null = null): unknown {
    const tag = this.#readByte();
    if (tag === valueTag.repeated) {
      const back = this.readCount();
      if (back >= this.#seen.length) throw new RangeError('a value refers to none before it');
      return this.#seen[this.#seen.length - 1 - back];
    }
    if (tag === valueTag.array) return Array.from({ length: this.#readLength() }, () => this.read());
    if (tag === valueTag.object) return this.#readObject();
    // Its place comes before those of what is in it; containers have none.
    const value = this.#readLeaf(tag, before);
    if (isRepeatable(value)) this.#seen.push(value);
    return value;
  }

  #readLeaf(tag: number, before: string | null): unknown {
    switch (tag) {
      case valueTag.null:
        return null;
      case valueTag.false:
        return false;
      case valueTag.true:
        return true;
      case valueTag.wholeNumber:
        return this.readCount();
      case valueTag.negative:
        return -1 - this.readCount();
      case valueTag.decimal:
        return this.#readDecimal();
      case valueTag.negativeDecimal:
        return -this.#readDecimal();
      case valueTag.float:
        this.#at += 8;
        return this.#bytes.readDoubleLE(this.#at - 8);
      case valueTag.timestamp:
        return this.#readTimestamp();
      case valueTag.middle:
        return this.#readMiddle(before);
      default:
        return this.#readText(tag);
    }
  }

  #readText(tag: number): string {
    if (tag === valueTag.ascii) return this.#take('latin1');
    if (tag === valueTag.utf8) return this.#take('utf8');
    if (tag === valueTag.hex) return this.#take('hex');
    if (tag === valueTag.escaped) return JSON.parse(this.#take('utf8')) as string;
    throw new TypeError('bytes of a difference are wrong');
  }

  #readMiddle(before: string | null): string {
    if (before === null) throw new TypeError('a difference is of another shape');
    const [front, behind] = [this.readCount(), this.readCount()];
    const middle = this.#readText(this.#readByte());
    return before.slice(0, front) + middle + before.slice(before.length - behind);
  }

  #readDecimal(): number {
    const digits = this.readCount();
    return this.readCount() / (powersOfTen[digits] ?? NaN);
  }

  #readTimestamp(): string {
    const seconds = this.readCount();
    const minute = Math.floor(seconds / 60);
    const whole = `${textOfMinute(minute)}${twoDigits[seconds - minute * 60] ?? ''}`;
    const digits = this.readCount();
    return digits === 0 ? `${whole}Z` : `${whole}.${String(this.readCount()).padStart(digits, '0')}Z`;
  }

  #readObject(): JsonObject {
    const object: JsonObject = {};
    for (let left = this.#readLength(); left > 0; left--) setMember(object, String(this.read()), this.read());
    return object;
  }

  #readLength(): number {
    const length = this.readCount();
    if (length > this.#bytes.length - this.#at) throw new RangeError('a difference is cut');
    return length;
  }

  #take(encoding: 'latin1' | 'utf8' | 'hex'): string {
    const length = this.readCount();
    const from = this.#at;
    if (from + length > this.#bytes.length) throw new RangeError('a difference is cut');
    this.#at += length;
    return this.#bytes.toString(encoding, from, this.#at);
  }

  #readByte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new RangeError('a difference is cut');
    return byte;
  }
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const minutesPerDay = 1440;
/** Texts of days since 1970: making one takes longer than all else in a timestamp. */
const days = new Map<number, string>();
const maxDays = 20_000;

// All that stands before the seconds. A RangeError for a time that there isn't.
function textOfMinute(minutes: number): string {
  const day = Math.floor(minutes / minutesPerDay);
  let text = days.get(day);
  if (text === undefined) {
    text = new Date(day * 86_400_000).toISOString().slice(0, 11);
    if (days.size >= maxDays) days.clear();
    days.set(day, text);
  }
  const minute = minutes - day * minutesPerDay;
  const hour = Math.floor(minute / 60);
  return `${text}${twoDigits[hour] ?? ''}:${twoDigits[minute - hour * 60] ?? ''}:`;
}

/** Sets a member as JSON.parse does it: `__proto__` is a member like others. */
export function setMember(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, ...ownMember });
  else object[key] = value;
}

const ownMember = { enumerable: true, configurable: true, writable: true };
