/**
 * The request target (path and query) exactly as it is written in an absolute http(s) URL, without its fragment;
 * null where it can't be sent as it is and `URL` has to encode it first.
 * `new URL()` rewrites some characters (`'`, `%2e%2e`, an empty `?`), which breaks a signature over them.
 */
export function requestTargetOf(url: string): string | null {
  const match = /^https?:\/\/[^/?#\\]+([^#]*)/i.exec(url);
  if (!match) return null;
  const written = match[1] ?? '';
  const target = written.startsWith('/') ? written : `/${written}`;
  return /^[\x21-\x7e]+$/.test(target) ? target : null;
}
