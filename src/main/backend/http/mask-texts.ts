/**
 * A way to take secrets out of what others say: servers quote what they refuse, as it was sent or encoded. Give whole
 * texts, since half a secret isn't found.
 */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const spellings = allSpellingsOf(secrets);
  return (text) => spellings.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

/** A body without secrets, as `createMask` does it with a text; itself where it has none, which costs next to nothing. */
export function maskBody(body: Buffer, secrets: readonly string[]): Buffer {
  if (!allSpellingsOf(secrets).some((secret) => body.includes(secret, 0, 'latin1'))) return body;
  return Buffer.from(createMask(secrets)(body.toString('latin1')), 'latin1');
}

// The longest first, lest a part of it is masked and the rest stays.
function allSpellingsOf(secrets: readonly string[]): string[] {
  const spellings = new Set(secrets.filter((secret) => secret !== '').flatMap(spellingsOf));
  return [...spellings].sort((a, b) => b.length - a.length);
}

function spellingsOf(secret: string): string[] {
  const quoted = JSON.stringify(secret).slice(1, -1);
  const escapedSlashes = quoted.replaceAll('/', '\\/');
  const encoded = [secret, encodeURIComponent(secret), encodeForm(secret)];
  return [...encoded, ...encoded.map(lowerEscapes), quoted, escapedSlashes, toBase64(secret)];
}

function lowerEscapes(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/gi, (escape) => escape.toLowerCase());
}

/** A value as an HTML form sends it. */
export function encodeForm(value: string): string {
  return new URLSearchParams({ v: value }).toString().slice(2);
}

/** UTF-8 as Base64. */
export function toBase64(value: string): string {
  return Buffer.from(value, 'utf8').toString('base64');
}
