// What a spreadsheet takes for a formula or the beginning of one (OWASP, CSV injection), and our own sign before it.
const runs = /^[=+\-@\t\r\n＝＋－＠']/;
const looksNested = /^[[{]/;
const sign = "'";
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A value as a cell, and whether it must stand in quotes to be known as text again. */
export interface Cell {
  text: string;
  isQuoted: boolean;
}

/**
 * A value as a cell. Text that a spreadsheet would run, or that looks like nested values, gets an apostrophe in front;
 * numbers stay numbers. Text that looks like a number or a truth value stands in quotes, which mean nothing to other
 * programs (RFC 4180 §2.5).
 */
export function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return { text: '', isQuoted: false };
  if (typeof value === 'string') return toTextCell(value);
  return { text: JSON.stringify(value), isQuoted: false };
}

/** Text that is text to every program. */
export function toTextCell(text: string): Cell {
  const isSigned = runs.test(text) || looksNested.test(text);
  return { text: isSigned ? sign + text : text, isQuoted: text === '' || typeof readBare(text) !== 'string' };
}

/** The text before `toTextCell`. */
export function unsignText(text: string): string {
  const rest = text.slice(1);
  return text.startsWith(sign) && (runs.test(rest) || looksNested.test(rest)) ? rest : text;
}

/** The value of a cell; undefined for an empty one. `isQuoted` where quotes stood that nothing else asked for. */
export function readCell(text: string, { isQuoted }: { isQuoted: boolean }): unknown {
  const value = isQuoted ? text : readBare(text);
  if (value === '' && !isQuoted) return undefined;
  return typeof value === 'string' ? unsignText(value) : value;
}

/** Whether a cell stands in quotes only to be text: one with these characters has to. */
export function areQuotesFree(text: string): boolean {
  return !/[",\r\n]/.test(text);
}

function readBare(text: string): unknown {
  if (number.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  if (text === 'true' || text === 'false') return text === 'true';
  if (!looksNested.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Columns that are no properties, by which programs know them; the first of each is what Swath writes. */
export const knownColumns = {
  id: ['id'],
  collection: ['collection'],
  west: ['bbox_west'],
  south: ['bbox_south'],
  east: ['bbox_east'],
  north: ['bbox_north'],
  geometry: ['WKT', 'geometry', 'footprint', 'geom', 'the_geom'],
} as const;

const known: ReadonlySet<string> = new Set(
  Object.values(knownColumns).flatMap((names) => names.map((name) => name.toLowerCase())),
);
const prefix = 'properties.';

/** What the column of a property is called: its name, unless that would be taken for something else. */
export function toColumnName(property: string): string {
  const bare = property.startsWith(prefix) ? property.slice(prefix.length) : property;
  return known.has(bare.toLowerCase()) ? prefix + property : property;
}

/** The property of a column. */
export function fromColumnName(column: string): string {
  const property = column.slice(prefix.length);
  return column.startsWith(prefix) && toColumnName(property) === column ? property : column;
}
