import { isAppUrl } from './app-url.ts';

/** Electron grants everything unless told otherwise. The window needs one thing: to copy text. */
export function isPermitted(permission: string, requestingUrl: string): boolean {
  return permission === 'clipboard-sanitized-write' && isAppUrl(requestingUrl);
}
