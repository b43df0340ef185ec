import { isJsonObject } from './json.ts';
import type { StacItem } from './item.ts';
import { isSignedUrl } from './signed-url.ts';

/**
 * The same Item without any signed link, for whatever outlives the moment: the library, the window, a file.
 * A signed alternate is left out whole; a signed URL anywhere else loses its query string. The given Item is untouched.
 */
export function withoutSignedLinks(item: StacItem): StacItem {
  return clean(item) as StacItem;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return isSignedUrl(value) ? value.slice(0, value.indexOf('?')) : value;
  if (Array.isArray(value)) return value.map(clean);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (name !== 'alternate' || !isJsonObject(member)) return [[name, clean(member)]];
    const kept = withoutSignedAlternates(member);
    return kept === null ? [] : [[name, kept]];
  });
  return Object.fromEntries(members);
}

// Null when nothing is left of it: the alternate-assets extension asks for at least one entry.
function withoutSignedAlternates(alternates: Record<string, unknown>): unknown {
  const entries = Object.entries(alternates);
  const kept = entries.filter(([, entry]) => !isSignedAlternate(entry));
  if (kept.length === 0 && entries.length > 0) return null;
  return Object.fromEntries(kept.map(([name, entry]) => [name, clean(entry)]));
}

function isSignedAlternate(entry: unknown): boolean {
  return isJsonObject(entry) && typeof entry['href'] === 'string' && isSignedUrl(entry['href']);
}
