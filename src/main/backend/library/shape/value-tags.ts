/** What follows in the bytes of a difference. A number here is in files of people and never gets another meaning. */
export const valueTag = {
  null: 0,
  false: 1,
  true: 2,
  /** One of the values before: how many back. */
  repeated: 3,
  wholeNumber: 4,
  /** `-1 - n`, so that there is one zero. */
  negative: 5,
  /** Digits behind the point, then the number without it. */
  decimal: 6,
  negativeDecimal: 7,
  /** Eight bytes. */
  float: 8,
  ascii: 9,
  utf8: 10,
  /** As JSON: what UTF-8 can't say. */
  escaped: 11,
  hex: 12,
  /** Seconds since 1970, digits of the fraction, the fraction. */
  timestamp: 13,
  /** Characters kept of the shape's text in front and behind, then what is between. */
  middle: 14,
  array: 15,
  object: 16,
} as const;

/** Whether a value may be referred to later: shorter ones aren't worth it. Writer and reader must agree. */
export function isRepeatable(value: unknown): value is string | number {
  if (typeof value === 'string') return value.length > 2;
  return typeof value === 'number' && (value > 127 || value < 0 || !Number.isInteger(value));
}

/** A text that was replaced with another in one place, and may be in others. */
export interface Replacement {
  from: string;
  to: string;
}

/** What it makes of a text. By hand, for `replaceAll` takes twice as long, and a dollar sign means something to it. */
export function replaceIn(text: string, { from, to }: Replacement): string {
  let [replaced, end] = ['', 0];
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, end)) {
    replaced += text.slice(end, at) + to;
    end = at + from.length;
  }
  return end === 0 ? text : replaced + text.slice(end);
}

/** Replacements that are remembered. */
export const maxReplacements = 7;
// Shorter texts are found where they mean something else.
const minReplacedLength = 4;

/** Where two texts differ: what they have in common in front and behind. */
export function commonEnds(before: string, after: string): { front: number; behind: number } {
  const shorter = Math.min(before.length, after.length);
  let front = 0;
  while (front < shorter && before.charCodeAt(front) === after.charCodeAt(front)) front++;
  let behind = 0;
  const most = shorter - front;
  while (
    behind < most &&
    before.charCodeAt(before.length - 1 - behind) === after.charCodeAt(after.length - 1 - behind)
  )
    behind++;
  return { front, behind };
}

/**
 * Learns from a text that was given in full, equally when writing and reading: of a name the whole, of a link what is
 * different in it.
 */
export function learnReplacement(replacements: Replacement[], before: string, after: string): void {
  if (replacements.length === maxReplacements) return;
  const { front, behind } = before.includes('/') ? commonEnds(before, after) : { front: 0, behind: 0 };
  const from = before.slice(front, before.length - behind);
  if (from.length >= minReplacedLength)
    replacements.push({ from, to: after.slice(front, after.length - behind) });
}
