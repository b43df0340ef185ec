import type { ConnectionDraft } from '#shared/connection/connection-settings.ts';
import { isReadableOnTheWay } from '#shared/connection/explain-address.ts';
import { AppError } from '#shared/errors/app-error.ts';

/**
 * Makes sure that what a person wrote can be used as it is.
 * @throws AppError `input.invalid` {field, why}
 */
export function checkDraft(
  { baseUrl, auth, secret }: Pick<ConnectionDraft, 'baseUrl' | 'auth' | 'secret'>,
  { isInsecureHttpAllowed }: { isInsecureHttpAllowed: boolean },
): void {
  if (auth.kind === 'none') return;
  const addresses = { baseUrl, ...(auth.kind === 'oauth2' ? { 'auth.tokenUrl': auth.tokenUrl } : {}) };
  for (const [field, address] of Object.entries(addresses)) {
    if (isReadableOnTheWay(address) && !isInsecureHttpAllowed) {
      throw invalid(field, 'over http anyone on the way can read the secret; use https');
    }
  }
  if (secret !== null && auth.kind === 'token' && /[^\x21-\x7e]/.test(secret)) {
    throw invalid('secret', 'it holds a character that no header can carry');
  }
}

function invalid(field: string, why: string): AppError {
  return new AppError('input.invalid', `${field}: ${why}`, { details: { field, why } });
}
