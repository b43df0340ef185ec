import { isAppError } from '../errors/app-error.ts';
import { parseSearchQuery, type SearchQuery } from './search-query.ts';
import { locateJson, type JsonFault } from './locate-json.ts';

/** Why a request written as JSON can't be asked; `line` counts from 1. */
export interface RequestFault {
  line: number;
  /** The member that is wrong: `query.eo:cloud_cover`; null where the text is no JSON. */
  member: string | null;
  why: string;
}

/** Reads a request that a person wrote as JSON. */
export function readRequestText(text: string): { query: SearchQuery } | { fault: RequestFault } {
  const located = locateJson(text);
  if ('fault' in located) return { fault: toFault(located.fault) };
  try {
    return { query: parseSearchQuery(located.value) };
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown;
    return { fault: explain(String(thrown.details['field']), String(thrown.details['why']), located.lineOf) };
  }
}

function toFault({ line, why }: JsonFault): RequestFault {
  return { line, member: null, why };
}

const namesOfTypes: Readonly<Record<string, string>> = {
  array: 'a list, […]',
  object: 'an object, {…}',
  record: 'an object, {…}',
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function explain(field: string, why: string, lineOf: (path: string) => number): RequestFault {
  const unknown = /^Unrecognized keys?: "([^"]+)"/.exec(why)?.[1];
  if (unknown !== undefined) {
    return { line: lineOf(unknown), member: unknown, why: 'the service has no such member' };
  }
  const member = field === 'query' && !why.startsWith('Invalid') ? null : field;
  const words = why === 'Invalid input' ? formsOfMembers[field] : undefined;
  return { line: lineOf(field), member, why: words ?? putInWords(why) };
}

const formsOfMembers: Readonly<Record<string, string>> = {
  bbox: 'four numbers are needed: west, south, east, north',
  intersects: 'it is no GeoJSON geometry',
};

function putInWords(why: string): string {
  const [, size, edge] = /^Too (small|big): expected \w+ to \w+ [<>]=?\s?(-?\d+)/.exec(why) ?? [];
  if (edge !== undefined)
    return size === 'small' ? `at least ${edge} is needed` : `at most ${edge} is possible`;
  const expected = /expected (\w+)/.exec(why)?.[1];
  if (expected !== undefined) return `${namesOfTypes[expected] ?? expected} is needed`;
  return why === 'Invalid input' ? 'it has the wrong form' : why;
}
