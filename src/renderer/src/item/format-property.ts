import { formatDecimal } from '../format/format-number.ts';
import { formatLongUtc } from '../format/format-time.ts';
import { isProminent, propertyLabels, type PropertyLabel } from '../format/property-labels.ts';

/** A property in words. */
export interface PropertyLine {
  property: string;
  /** Readable name; null when it only has its raw one. */
  name: string | null;
  value: string;
}

/** Of a value that has no words of its own. */
const maxRawLength = 300;

/** Lines shown without asking; assets should not be far below. */
const maxProminent = 7;

/** The properties of an Item: the few that people decide by, and all of them. */
export function describeProperties(properties: Readonly<Record<string, unknown>>): {
  prominent: PropertyLine[];
  all: PropertyLine[];
} {
  const all = Object.entries(properties).map(([property, value]) => {
    const label = propertyLabels.get(property);
    return {
      property,
      name: label?.name ?? null,
      value: label ? formatProperty(value, label) : formatRaw(value),
    };
  });
  const byProperty = new Map(all.map((line) => [line.property, line]));
  const prominent = [...propertyLabels.keys()].flatMap((property) => {
    const line = byProperty.get(property);
    const isMissing = [undefined, null, ''].some((none) => properties[property] === none);
    return line && !isMissing && isProminent(property) ? [line] : [];
  });
  return { prominent: dropRepeated(prominent).slice(0, maxProminent), all };
}

/** One value with its unit. What doesn't fit its label is shown as it came. */
export function formatProperty(value: unknown, label: PropertyLabel): string {
  if (typeof value === 'number') return formatNumber(value, label);
  if (typeof value === 'boolean') return formatFlag(value, label);
  if (typeof value === 'string') return label.kind === 'time' ? (formatLongUtc(value) ?? value) : value;
  return isListOfScalars(value) ? value.join(typeof value[0] === 'number' ? ' × ' : ', ') : formatRaw(value);
}

function formatFlag(value: boolean, { kind }: PropertyLabel): string {
  if (kind === 'flag') return value ? 'yes' : 'no';
  return value ? 'available' : 'not available';
}

function formatNumber(value: number, { kind, digits = 2, unit = '' }: PropertyLabel): string {
  if (kind === 'epsg') return `EPSG:${value}`;
  // Orbits, paths and zones are names made of digits: no thousands separator.
  return digits === 0 ? `${Math.round(value)}${unit}` : `${formatDecimal(value, digits)}${unit}`;
}

function isListOfScalars(value: unknown): value is (string | number | boolean)[] {
  return Array.isArray(value) && value.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
}

// A whole geometry may be a property: the raw JSON has it.
function formatRaw(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxRawLength ? `${text.slice(0, maxRawLength)}…` : text;
}

// Two extensions may say the same under two names: proj:epsg and proj:code.
function dropRepeated(lines: PropertyLine[]): PropertyLine[] {
  const seen = new Set<string>();
  return lines.filter(({ name, value }) => {
    const key = `${name}\n${value}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
