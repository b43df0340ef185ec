import { isLoopback } from './is-loopback.ts';

/** Why a text is no address of a service, in words; null when it is one. */
export function explainAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'an http or https address is needed';
  if (url.username || url.password) return 'it must not carry a user name or a password';
  if (url.search || url.hash) return 'it must not carry a query or a fragment';
  return null;
}

/** An address in the one form that is kept and compared: no slash at its end. */
export function normalizeAddress(text: string): string {
  return text.trim().replace(/\/+$/, '');
}

/** Whether what is sent to an address could be read on the way: by http to another computer. */
export function isReadableOnTheWay(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname);
}
