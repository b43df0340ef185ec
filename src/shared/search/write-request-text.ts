import type { SearchQuery } from './search-query.ts';

/** A request as JSON for people: indented, but a list of plain values, such as a position, on one line. */
export function writeRequestText(query: SearchQuery): string {
  return writeIndented(query, '');
}

function writeIndented(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== 'object' || one === null)) {
      return `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;
    }
    return `[\n${value.map((one) => inner + writeIndented(one, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  const lines = members.map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${writeIndented(member, inner)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
