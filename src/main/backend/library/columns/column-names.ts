/** Columns that every Item has, whatever its properties. */
export const builtIn = {
  /** Row number of the collection; no number where there is no Item. */
  collection: 'collection',
  /** What Items are sorted by, and the span that `datetime` is matched against, in microseconds. */
  datetime: 'datetime',
  start: 'start',
  end: 'end',
  west: 'west',
  south: 'south',
  east: 'east',
  north: 'north',
  footprint: 'footprint',
} as const;

/** The column of a property. */
export function propertyColumn(property: string): string {
  return `properties.${property}`;
}

/** The property of a column; null for one that every Item has. */
export function propertyOfColumn(column: string): string | null {
  return column.startsWith('properties.') ? column.slice('properties.'.length) : null;
}
