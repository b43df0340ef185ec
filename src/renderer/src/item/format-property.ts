import { formatDecimal } from '../format/format-number.ts';
import { formatLongUtc } from '../format/format-time.ts';
import { isProminent, propertyLabels, type PropertyLabel } from './property-labels.ts';

/** A property in words. */
export interface PropertyLine {
  property: string;
  name: string;
  value: string;
}

/** The properties of an Item by readable name: those people decide by, and all of them by their raw names. */
export function describeProperties(properties: Readonly<Record<string, unknown>>): {
  prominent: PropertyLine[];
  all: PropertyLine[];
} {
  const prominent = [...propertyLabels].flatMap(([property, label]) => {
    const value = properties[property];
    const isMissing = value === undefined || value === null || value === '';
    if (isMissing || !isProminent(property)) return [];
    return [{ property, name: label.name, value: formatProperty(value, label) }];
  });
  const all = Object.entries(properties).map(([property, value]) => ({
    property,
    name: property,
    value: formatRaw(value),
  }));
  return { prominent: dropRepeatedNames(prominent), all };
}

/** One value with its unit. What doesn't fit its label is shown as it came. */
export function formatProperty(value: unknown, label: PropertyLabel): string {
  if (typeof value === 'number') return formatNumber(value, label);
  if (typeof value === 'boolean') return value ? 'available' : 'not available';
  if (typeof value === 'string') return label.kind === 'time' ? (formatLongUtc(value) ?? value) : value;
  return isListOfScalars(value) ? value.join(typeof value[0] === 'number' ? ' × ' : ', ') : formatRaw(value);
}

function formatNumber(value: number, { kind, digits = 2, unit = '' }: PropertyLabel): string {
  if (kind === 'epsg') return `EPSG:${value}`;
  // Orbits, paths and zones are names made of digits: no thousands separator.
  return digits === 0 ? `${Math.round(value)}${unit}` : `${formatDecimal(value, digits)}${unit}`;
}

function isListOfScalars(value: unknown): value is (string | number | boolean)[] {
  return Array.isArray(value) && value.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
}

function formatRaw(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

// Two extensions may say the same under two names: proj:epsg and proj:code.
function dropRepeatedNames(lines: PropertyLine[]): PropertyLine[] {
  const seen = new Set<string>();
  return lines.filter(({ name, value }) => {
    const key = `${name}\n${value}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
