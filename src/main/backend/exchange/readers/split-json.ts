import { tooLarge, unreadable } from '../exchange-error.ts';
import { exchangeLimits } from '../limits.ts';
import { decodeUtf8 } from './decode-utf8.ts';

/** A part of a JSON file: one member of `features`, or an object with all its other members. */
export interface JsonPart {
  kind: 'feature' | 'object';
  value: unknown;
  /** `Feature 12, line 40.` */
  place: string;
}

const [quote, backslash, comma, lineFeed] = [0x22, 0x5c, 0x2c, 0x0a];
const openers: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closers: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
// Before JSON may stand the mark of UTF-8, before a text of a sequence a record separator (RFC 8142).
const marks: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf, 0x1e]);
const brace = 0x7b;

/**
 * Takes a JSON file apart without having it in memory: the members of its `features` one by one, then the object without
 * them. A file may hold several objects, one after the other (GeoJSON text sequences, newline-delimited JSON).
 * @throws AppError `exchange.unreadable`, `exchange.too-large`
 */
export async function* splitJson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonPart[]> {
  const splitter = new JsonSplitter();
  for await (const chunk of chunks) yield splitter.take(chunk);
  splitter.end();
}

class JsonSplitter {
  #chunk: Buffer = Buffer.alloc(0);
  /** Where in the chunk begins what is not kept yet. */
  #start = 0;
  #parts: JsonPart[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #line = 1;
  #featureCount = 0;
  #objectCount = 0;
  /** What was read of the object beside its features. */
  #head: string[] = [];
  #headBytes = 0;
  /** What was read of the feature; null outside of one. */
  #feature: Buffer[] | null = null;
  #featureBytes = 0;
  #featureLine = 0;
  #isInFeatures = false;
  /** Whether a comma has to come before the next feature. */
  #needsComma = false;
  /** The end of the head, to know the key `features` by. */
  #lastHead = '';

  take(chunk: Uint8Array): JsonPart[] {
    this.#chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#start = 0;
    this.#parts = [];
    for (let index = 0; index < this.#chunk.length; index += 1) {
      const code = this.#chunk[index] ?? 0;
      if (code === lineFeed) this.#line += 1;
      if (this.#isInString) this.#stepInString(code);
      else this.#step(code, index);
    }
    this.#keepUntil(this.#chunk.length);
    return this.#parts;
  }

  /** @throws AppError `exchange.unreadable` when the file ends within something */
  end(): void {
    if (this.#depth > 0 || this.#isInString) throw this.#broken('The JSON ends too early.');
    if (this.#objectCount === 0) throw this.#broken('It is empty.');
  }

  #stepInString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === backslash) this.#isEscaped = true;
    else if (code === quote) this.#isInString = false;
  }

  #step(code: number, index: number): void {
    const isBetween = this.#isInFeatures && this.#depth === 2 && this.#feature === null;
    if (isBetween && !this.#stepBetween(code, index)) return;
    if (this.#depth === 0 && !openers.has(code)) this.#stepOutside(code, index);
    else if (code === quote) this.#isInString = true;
    else if (openers.has(code)) this.#open(code, index);
    else if (closers.has(code)) this.#close(index);
  }

  /** Between two features stand only blanks and a comma. Whether a bracket follows. */
  #stepBetween(code: number, index: number): boolean {
    if (closers.has(code)) return true;
    if (code === brace) {
      if (this.#needsComma) throw this.#broken('A comma is missing between two features.');
      this.#feature = [];
      this.#featureBytes = 0;
      this.#featureLine = this.#line;
      this.#start = index;
      return true;
    }
    if (code === comma && this.#needsComma) this.#needsComma = false;
    else if (!blanks.has(code)) throw this.#broken('A member of “features” is no object.');
    this.#start = index + 1;
    return false;
  }

  #stepOutside(code: number, index: number): void {
    if (!blanks.has(code) && !marks.has(code)) throw this.#broken('It is not JSON.');
    this.#start = index + 1;
  }

  #open(code: number, index: number): void {
    this.#depth += 1;
    if (this.#depth > exchangeLimits.depth) throw this.#tooDeep();
    if (this.#depth !== 2 || code === brace) return;
    this.#keepUntil(index + 1);
    // Within a string the quotes would be escaped.
    this.#isInFeatures = /[{,]\s*"features"\s*:\s*\[$/.test(this.#lastHead);
    this.#needsComma = false;
  }

  #close(index: number): void {
    this.#depth -= 1;
    if (this.#feature !== null && this.#depth === 2) {
      this.#keepUntil(index + 1);
      this.#parts.push(this.#endFeature());
    } else if (this.#depth === 1) this.#isInFeatures = false;
    else if (this.#depth === 0) {
      this.#keepUntil(index + 1);
      this.#parts.push(this.#endObject());
    }
  }

  #keepUntil(end: number): void {
    if (end > this.#start) this.#keep(this.#chunk.subarray(this.#start, end));
    this.#start = end;
  }

  #keep(bytes: Buffer): void {
    if (this.#feature !== null) {
      this.#featureBytes += bytes.length;
      if (this.#featureBytes > exchangeLimits.itemBytes)
        throw this.#tooMuch('One item', exchangeLimits.itemBytes);
      this.#feature.push(Buffer.from(bytes));
      return;
    }
    this.#headBytes += bytes.length;
    const limit = Math.max(exchangeLimits.headBytes, exchangeLimits.itemBytes);
    if (this.#headBytes > limit) throw this.#tooMuch('What stands beside the features', limit);
    const text = bytes.toString('latin1');
    this.#head.push(text);
    this.#lastHead = (this.#lastHead + text).slice(-200);
  }

  #endFeature(): JsonPart {
    const bytes = Buffer.concat(this.#feature ?? []);
    this.#feature = null;
    this.#needsComma = true;
    this.#featureCount += 1;
    const place = `Feature ${String(this.#featureCount)}, line ${String(this.#featureLine)}.`;
    return { kind: 'feature', value: parse(decodeUtf8(bytes, place), place), place };
  }

  #endObject(): JsonPart {
    const bytes = Buffer.from(this.#head.join(''), 'latin1');
    this.#head = [];
    this.#headBytes = 0;
    this.#lastHead = '';
    this.#objectCount += 1;
    const place = `Line ${String(this.#line)}.`;
    return { kind: 'object', value: parse(decodeUtf8(bytes, place), place), place };
  }

  #broken(why: string): Error {
    return unreadable({
      place: `Line ${String(this.#line)}.`,
      why,
      mend: 'Save it again in one piece, as GeoJSON or as a STAC ItemCollection.',
    });
  }

  #tooDeep(): Error {
    return tooLarge({
      place: `Line ${String(this.#line)}.`,
      why: `More than ${String(exchangeLimits.depth)} levels lie within each other.`,
      mend: 'No item needs that. Save the file again from where it is from.',
    });
  }

  #tooMuch(what: string, limit: number): Error {
    return tooLarge({
      place: `Line ${String(this.#line)}.`,
      why: `${what} has more than ${String(limit / 1e6)} MB.`,
      mend: 'No item needs that. Save the file again from where it is from.',
    });
  }
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw unreadable({ place, why: 'That is not valid JSON.', mend: 'Save it again in one piece.' });
  }
}
