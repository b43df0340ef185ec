import { createSecret, isSameSecret } from '../host/secret.ts';

/** Who may use the window: whoever opened a printed URL, each of which works once. */
export interface BrowserSession {
  /** A new token for a URL; valid until it is first used. */
  issueToken(): string;
  /** The `Set-Cookie` value when the token is one that wasn't used yet, else null. */
  redeem(token: string): string | null;
  /** Whether a `Cookie` header carries the session. */
  isSignedIn(cookieHeader: string | undefined): boolean;
}

/** Builds the session of one server. Cookies don't know ports, so its name does. `onUsed`: a token was redeemed. */
export function createBrowserSession({ port, onUsed }: { port: number; onUsed: () => void }): BrowserSession {
  const cookieName = `swath-session-${String(port)}`;
  const secret = createSecret();
  const unusedTokens = new Set<string>();
  return {
    issueToken() {
      const token = createSecret();
      unusedTokens.add(token);
      return token;
    },
    redeem(token) {
      const known = [...unusedTokens].find((unused) => isSameSecret(unused, token));
      if (known === undefined) return null;
      unusedTokens.delete(known);
      onUsed();
      return `${cookieName}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
    },
    isSignedIn: (cookieHeader) =>
      readCookies(cookieHeader, cookieName).some((value) => isSameSecret(secret, value)),
  };
}

function readCookies(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
