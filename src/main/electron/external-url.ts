/** A web page that may be offered to the user's browser, and the host to show; null for anything else. */
export function toExternalUrl(url: string): { url: string; host: string } | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, username, password, href } = new URL(url);
  // A user name can pass for a host: https://trusted.example@evil.example
  if (protocol !== 'https:' || host === '' || username !== '' || password !== '') return null;
  return { url: href, host };
}
