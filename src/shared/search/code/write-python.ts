const indentWidth = 4;
const maxWidth = 80;

/** A JSON value as a Python literal: on one line where it is short, else one member a line. `depth`: levels of indent. */
export function writePython(value: unknown, depth = 0): string {
  const flat = writeFlat(value);
  if (flat.length <= maxWidth || typeof value !== 'object' || value === null || isPosition(value))
    return flat;
  const indent = ' '.repeat(indentWidth * (depth + 1));
  const members = Array.isArray(value)
    ? value.map((one) => writePython(one, depth + 1))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}: ${writePython(member, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const lines = members.map((member) => `${indent}${member},`);
  return [open, ...lines, `${' '.repeat(indentWidth * depth)}${close}`].join('\n');
}

function writeFlat(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  // A JSON text and a JSON number are Python's too.
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeFlat).join(', ')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}: ${writeFlat(member)}`).join(', ')}}`;
}

function isPosition(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'number');
}
