/** The window's scheme and host: one origin for the page, its pictures and its tiles. */
export const appScheme = 'app';

/** Where the window's document is. */
export const appUrl = `${appScheme}://bundle/`;

/** Whether a URL is of the window itself. `URL.origin` says "null" for schemes that Node doesn't know. */
export function isAppUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === `${appScheme}:` && host === 'bundle' && username === '' && password === '';
}

/** Whether a URL is of a file that the window itself made, to be saved where a person chooses. */
export function isOwnFile(url: string): boolean {
  return url.startsWith('blob:') && isAppUrl(url.slice('blob:'.length));
}

/** Whether the window may load a URL: its own, and what it makes itself. Everything on the network goes through the backend. */
export function mayLoad(url: string): boolean {
  return isAppUrl(url) || /^(data|blob):/i.test(url);
}
