import { isAppError } from '../errors/app-error.ts';
import { isJsonObject } from '../stac/json.ts';
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
    const { field, why } = thrown.details as { field: string; why: string };
    return {
      fault: { line: located.lineOf(field), member: isJsonObject(located.value) ? field : null, why },
    };
  }
}

function toFault({ line, why }: JsonFault): RequestFault {
  return { line, member: null, why };
}
