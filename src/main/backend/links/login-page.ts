import { AppError } from '#shared/errors/app-error.ts';

const ofLogins =
  /^(?:login|log-in|signin|sign-in|logon|authorize|oauth2?|openid-connect|saml2?|sso)(?:\.\w+)?$/i;
const hostsOfLogins = /^(?:login|signin|sso|idp|accounts|auth)\./i;

/**
 * Whether a redirect leads to where people log in, and no longer to the file (downloads.md F7). An address that still
 * ends in the file's name is the file's.
 */
export function leadsToLogin(from: string, to: string): boolean {
  const target = new URL(to);
  const steps = target.pathname.split('/');
  const fileName = new URL(from).pathname.split('/').at(-1);
  if (fileName && steps.at(-1) === fileName) return false;
  return steps.some((step) => ofLogins.test(step)) || hostsOfLogins.test(target.hostname);
}

/** What a transfer waits for whose storage asks a person to log in. */
export function loginWanted(at: string): AppError {
  const { host } = new URL(at);
  return new AppError('auth.required', `${host} asks for a login in place of sending the file`, {
    details: { host, reason: 'login-page' },
  });
}
