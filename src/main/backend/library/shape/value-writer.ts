import { SeenNumbers } from './seen-numbers.ts';
import { SeenTexts } from './seen-texts.ts';
import { commonEnds, isRepeatable, valueTag } from './value-tags.ts';

const timestampPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z$/;
const hexPattern = /^[0-9a-f]+$/;
const minHexLength = 16;
const maxDecimals = 12;
const minCommon = 4;

/** Writes JSON values as bytes, one behind the other. */
export class ValueWriter {
  #bytes = Buffer.allocUnsafe(16_384);
  #length = 0;
  #count = 0;
  readonly #seenTexts = new SeenTexts();
  readonly #seenNumbers = new SeenNumbers();

  /** Bytes that were written. */
  get length(): number {
    return this.#length;
  }

  /** Begins anew behind what was written: nothing from here on refers to it. */
  begin(): void {
    this.#count = 0;
    this.#seenTexts.clear();
    this.#seenNumbers.clear();
  }

  /** Takes back what was written beyond a length. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** A copy of what was written from a place on, which is no longer here then. */
  take(start = 0): Buffer<ArrayBuffer> {
    const bytes = Buffer.copyBytesFrom(this.#bytes, start, this.#length - start);
    this.#length = start;
    return bytes;
  }

  /** Text by itself, which no reader of values reads. */
  writeRaw(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** A whole number from 0 on. */
  writeCount(value: number): void {
    this.#reserve(9);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 128;
    this.#bytes[this.#length++] = rest;
  }

  /** A JSON value; `before` is the shape's text in its place. */
  write(given: unknown, before: string | null = null): void {
    // What JSON can't say is null in it.
    const value = typeof given === 'number' && !Number.isFinite(given) ? null : given;
    if (isRepeatable(value) && this.#tryRepeated(value)) return;
    if (typeof value === 'string') this.#writeText(value, before);
    else if (typeof value === 'number') this.#writeNumber(value);
    else if (typeof value === 'boolean') this.#writeTag(value ? valueTag.true : valueTag.false);
    else if (typeof value === 'object' && value !== null) this.#writeContainer(value);
    else this.#writeTag(valueTag.null);
  }

  #writeContainer(value: object): void {
    if (Array.isArray(value)) this.#writeArray(value);
    else this.#writeObject(value as Record<string, unknown>);
  }

  #tryRepeated(value: string | number): boolean {
    const seen =
      typeof value === 'number'
        ? this.#seenNumbers.note(value, this.#count)
        : this.#seenTexts.note(value, this.#count);
    if (seen === null) {
      this.#count += 1;
      return false;
    }
    this.#writeTag(valueTag.repeated);
    this.writeCount(this.#count - 1 - seen);
    return true;
  }

  #writeArray(values: readonly unknown[]): void {
    this.#writeTag(valueTag.array);
    this.writeCount(values.length);
    for (const value of values) this.write(value);
  }

  #writeObject(object: Record<string, unknown>): void {
    const members = Object.entries(object).filter(([, value]) => value !== undefined);
    this.#writeTag(valueTag.object);
    this.writeCount(members.length);
    for (const [key, value] of members) {
      this.write(key);
      this.write(value);
    }
  }

  #writeNumber(value: number): void {
    if (Number.isSafeInteger(value)) {
      this.#writeTag(value < 0 ? valueTag.negative : valueTag.wholeNumber);
      this.writeCount(value < 0 ? -1 - value : value);
      return;
    }
    const size = Math.abs(value);
    for (let digits = 1, factor = 10; digits <= maxDecimals; digits++, factor *= 10) {
      const whole = Math.round(size * factor);
      if (whole > Number.MAX_SAFE_INTEGER) break;
      // Both are exact, so that their quotient is the number nearest to these digits.
      if (whole / factor !== size) continue;
      this.#writeTag(value < 0 ? valueTag.negativeDecimal : valueTag.decimal);
      this.writeCount(digits);
      this.writeCount(whole);
      return;
    }
    this.#writeTag(valueTag.float);
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  #writeText(text: string, before: string | null): void {
    if (text.length >= minHexLength && this.#tryTimestamp(text)) return;
    if (text.length >= minHexLength && text.length % 2 === 0 && hexPattern.test(text)) {
      this.#writeTag(valueTag.hex);
      this.writeCount(text.length / 2);
      this.#reserve(text.length / 2);
      this.#length += this.#bytes.write(text, this.#length, 'hex');
      return;
    }
    if (before !== null) {
      const { front, behind } = commonEnds(before, text);
      if (front + behind >= minCommon) {
        this.#writeTag(valueTag.middle);
        this.writeCount(front);
        this.writeCount(behind);
        this.#writePlain(text.slice(front, text.length - behind));
        return;
      }
    }
    this.#writePlain(text);
  }

  #tryTimestamp(text: string): boolean {
    if (text.length > 27 || text.charAt(10) !== 'T') return false;
    const [, seconds, fraction = ''] = timestampPattern.exec(text) ?? [];
    if (seconds === undefined) return false;
    const epochSeconds = toEpochSeconds(seconds);
    if (epochSeconds === null) return false;
    this.#writeTag(valueTag.timestamp);
    this.writeCount(epochSeconds);
    this.writeCount(fraction.length);
    if (fraction !== '') this.writeCount(Number(fraction));
    return true;
  }

  #writePlain(text: string): void {
    const { length } = text;
    this.#reserve(length * 3 + 10);
    const start = this.#length;
    this.#writeTag(valueTag.ascii);
    this.writeCount(length);
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code > 127) {
        this.#length = start;
        this.#writeWide(text);
        return;
      }
      this.#bytes[this.#length++] = code;
    }
  }

  #writeWide(text: string): void {
    const isWhole = text.isWellFormed();
    const bytes = Buffer.from(isWhole ? text : JSON.stringify(text));
    this.#writeTag(isWhole ? valueTag.utf8 : valueTag.escaped);
    this.writeCount(bytes.length);
    this.#reserve(bytes.length);
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  #writeTag(tag: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = tag;
  }

  #reserve(byteCount: number): void {
    if (this.#length + byteCount <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe((this.#length + byteCount) * 2);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

// Null for a day or an hour that there isn't, and for one before 1970: those are texts like others.
function toEpochSeconds(text: string): number | null {
  const two = (at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
  const [year, month, day] = [two(0) * 100 + two(2), two(5), two(8)];
  const [hour, minute, second] = [two(11), two(14), two(17)];
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  if (day > 28 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}
