/** A JSON object of unknown content. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Far deeper than any catalog nests, and far from where writing JSON runs out of stack.
const deepestLevel = 200;

/** Whether a parsed value is nested so deeply that functions that walk through it, JSON.stringify among them, may fail. */
export function isTooDeep(value: unknown, levelsLeft = deepestLevel): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levelsLeft === 0) return true;
  // Every Item of every page comes by here, with the whole page alive: loops that allocate nothing spare copying that.
  if (Array.isArray(value)) {
    for (const member of value)
      if (typeof member === 'object' && isTooDeep(member, levelsLeft - 1)) return true;
    return false;
  }
  for (const name in value) {
    const member = (value as JsonObject)[name];
    if (typeof member === 'object' && isTooDeep(member, levelsLeft - 1)) return true;
  }
  return false;
}
