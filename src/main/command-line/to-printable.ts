/**
 * A line that a terminal shows as it is: characters that would move the cursor, colour the text or turn its direction
 * come from catalogs as well. They are written as JSON does, so that a line of JSON stays the same JSON.
 */
export function toPrintable(line: string): string {
  return line.replace(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
