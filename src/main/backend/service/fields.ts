import { parseFields } from '#shared/search/wire.ts';
import { isJsonObject, type JsonObject } from '#shared/stac/json.ts';
import { badRequest } from './http-error.ts';

/** What the Fields extension asks for: what to begin with, what to take away from it and what to keep after all. */
export interface FieldSelection {
  base: 'everything' | 'defaults' | 'nothing';
  include: readonly string[];
  exclude: readonly string[];
}

// Fields v1.0.0 names all but `collection`, without which an Item can't be told from its namesakes.
const defaultFields = [
  'type',
  'stac_version',
  'id',
  'collection',
  'geometry',
  'bbox',
  'links',
  'assets',
  'properties.datetime',
  'properties.start_datetime',
  'properties.end_datetime',
];

/**
 * Reads the POST form. An `include` that is null or empty counts as the default set, one that is missing as
 * everything (field notes §3.3, rules 1, 3 and 4).
 * @throws HttpError 400
 */
export function readFieldsObject(value: unknown): FieldSelection {
  if (!isJsonObject(value)) throw badRequest('fields: an object with include and exclude is needed');
  const include = readPaths(value['include'], 'include');
  const exclude = readPaths(value['exclude'], 'exclude');
  if (include.length > 0) return { base: 'nothing', include, exclude };
  const isIncludeMissing = value['include'] === undefined;
  return { base: isIncludeMissing && exclude.length > 0 ? 'everything' : 'defaults', include, exclude };
}

/** Reads the GET form. A list with exclusions only keeps everything else (catalog-service.md §4.6). */
export function readFieldsText(text: string): FieldSelection {
  const { include, exclude } = parseFields(text);
  return readFieldsObject({ ...(include ? { include } : {}), ...(exclude ? { exclude } : {}) });
}

/**
 * The Item with only the members asked for; the Item itself is left alone. The most specific path wins, and
 * include over exclude. Paths that name nothing are passed over: fields are hints.
 */
export function selectFields(item: JsonObject, selection: FieldSelection): JsonObject {
  const root: PathNode = { children: new Map(), isWanted: selection.base === 'everything' };
  if (selection.base === 'defaults')
    for (const path of defaultFields) mark(root, resolvePath(item, path), true);
  for (const path of selection.exclude) mark(root, resolvePath(item, path), false);
  for (const path of selection.include) mark(root, resolvePath(item, path), true);
  return pruneObject(item, root, false) ?? {};
}

interface PathNode {
  children: Map<string, PathNode>;
  isWanted?: boolean;
}

function mark(root: PathNode, segments: readonly string[] | null, isWanted: boolean): void {
  if (segments === null) return;
  let node = root;
  for (const segment of segments) {
    const child: PathNode = node.children.get(segment) ?? { children: new Map() };
    node.children.set(segment, child);
    node = child;
  }
  node.isWanted = isWanted;
  // Taking a member away takes away the defaults inside it; what is included comes after and stays.
  if (!isWanted) node.children.clear();
}

function prune(value: unknown, node: PathNode | undefined, isInherited: boolean): unknown {
  const isWanted = node?.isWanted ?? isInherited;
  if (!node || node.children.size === 0 || !isJsonObject(value)) return isWanted ? value : undefined;
  return pruneObject(value, node, isWanted);
}

function pruneObject(value: JsonObject, node: PathNode, isInherited: boolean): JsonObject | undefined {
  const isWanted = node.isWanted ?? isInherited;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const pruned = prune(member, node.children.get(name), isWanted);
    return pruned === undefined ? [] : [[name, pruned] as const];
  });
  return kept.length > 0 || isWanted ? Object.fromEntries(kept) : undefined;
}

// A bare name may mean a property: whether `properties.` is needed is left open by the extension.
function resolvePath(item: JsonObject, path: string): string[] | null {
  const properties = item['properties'];
  const inItem = resolveIn(item, path.trim());
  if (inItem || !isJsonObject(properties)) return inItem;
  const inProperties = resolveIn(properties, path.trim());
  return inProperties && ['properties', ...inProperties];
}

// Asset keys hold dots and slashes, so a path can't be split at its dots: at each level the longest member that
// the rest of the path begins with is taken. Quoted keys are taken as they are (field notes §1.13).
function resolveIn(value: unknown, path: string): string[] | null {
  if (path === '') return [];
  if (!isJsonObject(value)) return null;
  for (const { name, rest } of candidates(value, path)) {
    const segments = resolveIn(value[name], rest);
    if (segments) return [name, ...segments];
  }
  return null;
}

function candidates(value: JsonObject, path: string): { name: string; rest: string }[] {
  const quoted = /^(['"])(.*?)\1(?:\.(.+))?$/.exec(path);
  if (quoted) {
    const [, , name = '', rest = ''] = quoted;
    return Object.hasOwn(value, name) ? [{ name, rest }] : [];
  }
  return Object.keys(value)
    .filter((name) => path === name || path.startsWith(`${name}.`))
    .sort((a, b) => b.length - a.length)
    .map((name) => ({ name, rest: path.slice(name.length + 1) }));
}

function readPaths(value: unknown, member: string): string[] {
  if (value === undefined || value === null) return [];
  const isPathList = Array.isArray(value) && value.every((path): path is string => typeof path === 'string');
  if (!isPathList) throw badRequest(`fields.${member}: a list of paths is needed`);
  return value;
}
