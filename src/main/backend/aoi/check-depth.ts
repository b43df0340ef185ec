import { tooLarge } from './aoi-error.ts';
import { aoiLimits } from './limits.ts';

/** Refuses JSON or WKT with too many brackets, or too deep within each other, before a parser walks down. */
export function checkBracketDepth(text: string): void {
  let depth = 0;
  let count = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === backslash) index += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (openers.has(code)) {
      depth += 1;
      count += 1;
      if (depth > aoiLimits.depth) throw tooDeep();
      if (count > aoiLimits.brackets) throw tooMany('lists and objects', aoiLimits.brackets);
    } else if (closers.has(code)) depth -= 1;
  }
}

/** The error for brackets or elements that lie too deep within each other. */
export function tooDeep(): ReturnType<typeof tooLarge> {
  return tooLarge({
    why: `More than ${String(aoiLimits.depth)} levels lie within each other.`,
    mend: 'Save the area again as plain GeoJSON.',
  });
}

/** The error for more parts than a parser has memory for. */
export function tooMany(parts: string, limit: number): ReturnType<typeof tooLarge> {
  return tooLarge({
    why: `It has more than ${limit.toLocaleString('en-GB')} ${parts}.`,
    mend: 'Save only the area itself, or a simpler one.',
  });
}

const quote = 0x22;
const backslash = 0x5c;
const openers = new Set([0x28, 0x5b, 0x7b]);
const closers = new Set([0x29, 0x5d, 0x7d]);
