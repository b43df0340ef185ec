import { formatDecimal } from '../format/format-number.ts';
import { propertyLabels } from '../format/property-labels.ts';
import { builtIn } from '../state/results-table.ts';

const names = new Map<string, string>([
  [builtIn.collection, 'Collection'],
  [builtIn.id, 'Id'],
  [builtIn.month, 'Month'],
  [builtIn.day, 'Day'],
  [builtIn.cloudBand, 'Cloud'],
  [builtIn.coverage, 'Coverage'],
  [builtIn.dayCoverage, 'Day coverage'],
  [builtIn.isNew, 'New'],
  [builtIn.noPlace, 'Not on the map'],
  [builtIn.time, 'Date'],
  [builtIn.cloud, 'Cloud cover'],
]);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** What a column is called; a property without a readable name keeps its own. */
export function nameColumn(column: string): string {
  return names.get(column) ?? propertyLabels.get(column)?.name ?? column;
}

/** The unit that stands after a column's numbers, with its space. */
export function unitOf(column: string): string {
  if (column === builtIn.coverage || column === builtIn.dayCoverage) return ' %';
  return propertyLabels.get(column)?.unit ?? '';
}

/** A number of a column, with its unit. */
export function formatColumnNumber(column: string, value: number): string {
  const digits = propertyLabels.get(column)?.digits ?? (unitOf(column) === ' %' ? 0 : 2);
  // Orbits, paths and zones are names made of digits: no thousands separator.
  const text = digits === 0 ? String(Math.round(value)) : formatDecimal(value, digits);
  return `${text}${unitOf(column)}`;
}

/** A text of a column as it is shown; null is "no value". */
export function formatColumnText(
  column: string,
  text: string | null,
  titleOf: (collectionId: string) => string,
): string {
  if (column === builtIn.noPlace) return text ?? 'On the map';
  if (text === null) return 'No value';
  if (column === builtIn.collection) return titleOf(text);
  if (column === builtIn.month) return `${months[Number(text.slice(-2)) - 1] ?? text} ${text.slice(0, -3)}`;
  if (column === builtIn.isNew) return text === 'yes' ? 'New since the last look' : 'Seen before';
  return text;
}
