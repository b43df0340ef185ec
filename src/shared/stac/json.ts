/** A JSON object of unknown content. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
