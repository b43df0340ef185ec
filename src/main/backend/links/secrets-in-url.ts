import { isJsonObject } from '#shared/stac/json.ts';

// Names under which permissions are found in addresses, beside the signatures that are known.
const secretName = /token|sig|secret|key|auth|cred|passw|session|expires|jwt|^se$|^x-amz|^x-goog/i;
const absolute = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Whether an address may carry a permission: a user name, a password, or a parameter with such a name. */
export function mayHaveSecret(url: string): boolean {
  if (!/[?@]/.test(url) || !URL.canParse(url)) return false;
  const { username, password, searchParams } = new URL(url);
  return username !== '' || password !== '' || [...searchParams.keys()].some((name) => secretName.test(name));
}

/** The same JSON for a file that may be passed on: what an address in it may carry of a permission is left out. */
export function withoutSecrets<Json>(json: Json): Json {
  return clean(json) as Json;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return absolute.test(value) && mayHaveSecret(value) ? strip(value) : value;
  if (Array.isArray(value)) return value.map(clean);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clean(member)]));
}

function strip(address: string): string {
  const url = new URL(address);
  [url.username, url.password] = ['', ''];
  for (const name of [...url.searchParams.keys()]) if (secretName.test(name)) url.searchParams.delete(name);
  return url.href;
}
