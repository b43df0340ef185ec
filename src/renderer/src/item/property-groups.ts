import type { PropertyLine } from './format-property.ts';

/** Properties that belong together. */
export interface PropertyGroup {
  title: string;
  lines: PropertyLine[];
}

/** Titles of the STAC extensions, by the prefix of their fields, in the order in which they are shown. */
const titles: ReadonlyMap<string, string> = new Map([
  ['', 'General'],
  ['time', 'Time'],
  ['eo', 'Optical'],
  ['view', 'View and sun'],
  ['sar', 'Radar'],
  ['sat', 'Orbit'],
  ['grid', 'Grid'],
  ['mgrs', 'Grid'],
  ['proj', 'Projection'],
  ['raster', 'Raster'],
  ['product', 'Product'],
  ['processing', 'Processing'],
  ['landsat', 'Landsat'],
  ['s1', 'Sentinel-1'],
  ['s2', 'Sentinel-2'],
  ['eda', 'EarthDaily'],
  ['earthsearch', 'Earth Search'],
  ['file', 'File'],
  ['storage', 'Storage'],
  ['sci', 'Citation'],
  ['label', 'Labels'],
  ['naip', 'NAIP'],
]);

const times = ['datetime', 'start_datetime', 'end_datetime', 'created', 'updated', 'published', 'expires'];

/** All properties by what they are about: known extensions in a fixed order, then others by their prefix. */
export function groupProperties(lines: readonly PropertyLine[]): PropertyGroup[] {
  const groups = new Map<string, PropertyLine[]>([...titles.values()].map((title) => [title, []]));
  for (const line of lines) {
    const prefix = prefixOf(line.property);
    const title = titles.get(prefix) ?? prefix;
    groups.set(title, [...(groups.get(title) ?? []), line]);
  }
  return [...groups].flatMap(([title, some]) => (some.length === 0 ? [] : [{ title, lines: some }]));
}

/** Lines whose name, property or value holds every word that is looked for, in any case. */
export function findProperties(lines: readonly PropertyLine[], wanted: string): PropertyLine[] {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return lines.filter(({ property, name, value }) => {
    const text = `${name ?? ''} ${property} ${value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function prefixOf(property: string): string {
  if (times.includes(property)) return 'time';
  const colon = property.indexOf(':');
  return colon <= 0 ? '' : property.slice(0, colon);
}
