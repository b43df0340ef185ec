import type { StacItem } from '../stac/item.ts';
import { isJsonObject } from '../stac/json.ts';
import type { SearchQuery } from './search-query.ts';

type Fields = NonNullable<SearchQuery['fields']>;

/** What any whole Item of a server that knows the Fields extension has. */
const coreMembers = ['stac_version', 'geometry', 'bbox', 'properties', 'assets', 'links'];
/** What the Fields extension gives where nothing is named, and what servers leave in place of no properties at all. */
const defaultProperties = ['datetime', 'start_datetime', 'end_datetime'];

/**
 * Whether an Item that came to a question with `fields` is less than the whole one. Judged by what came: servers may
 * ignore `fields`, and then send what was not asked for. In doubt it counts as cut; opening it fetches the whole.
 */
export function isCutByFields(item: StacItem, fields: Fields): boolean {
  if (coreMembers.some((name) => !(name in item))) return true;
  return isMemberCut(item, 'properties', fields) || isMemberCut(item, 'assets', fields);
}

function isMemberCut(item: StacItem, container: 'properties' | 'assets', fields: Fields): boolean {
  const include = readPaths(fields.include, container);
  const exclude = readPaths(fields.exclude, container);
  const hasIncludes = (fields.include ?? []).length > 0;
  const isDefaultSet = !hasIncludes && (fields.exclude ?? []).length === 0 && container === 'properties';
  const mayBeCut = (hasIncludes && !include.isWhole) || exclude.isWhole || exclude.names.length > 0;
  if (!mayBeCut && !isDefaultSet) return false;
  const isAskedFor = (name: string): boolean => {
    if (isNamed(include.names, name)) return true;
    if (isDefaultSet || exclude.isWhole) return defaultProperties.includes(name);
    return !isNamed(exclude.names, name) && (include.isWhole || !hasIncludes);
  };
  const members = isJsonObject(item[container]) ? Object.keys(item[container]) : [];
  // A member that nobody asked for shows that the server takes no notice of the fields.
  return members.every(isAskedFor);
}

// What a list of paths says of a container: all of it, or members by name. A bare name may mean a property.
function readPaths(paths: readonly string[] = [], container: 'properties' | 'assets') {
  const names = paths.flatMap((path) => {
    if (path.startsWith(`${container}.`)) return [path.slice(container.length + 1)];
    return container === 'properties' && !/^(?:properties|assets)(?:\.|$)/.test(path) ? [path] : [];
  });
  const topLevel = new Set(['id', 'collection', 'type', 'stac_extensions', ...coreMembers]);
  return { isWhole: paths.includes(container), names: names.filter((name) => !topLevel.has(name)) };
}

// A path may go deeper than the member.
function isNamed(paths: readonly string[], name: string): boolean {
  return paths.some((path) => path === name || path.startsWith(`${name}.`));
}
