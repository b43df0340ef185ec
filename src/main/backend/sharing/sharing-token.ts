import { randomBytes } from 'node:crypto';
import type { SecretStore } from '../ports.ts';
import { findSecretFor, keepSecretFor } from '../settings/bound-secrets.ts';

const ref = { id: 'sharing', audience: 'shared library' };

/** The token that programs need to read the shared library. */
export interface SharingToken {
  /** Made when first asked for. */
  read(): Promise<{ value: string; place: 'keychain' | 'session' }>;
  /** Makes another; the old one lets nobody in any more. */
  renew(): Promise<{ value: string; place: 'keychain' | 'session' }>;
}

/** 192 bits, in letters that a header and a shell take as they are. */
export function makeToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Keeps the token where the host keeps secrets. */
export function createSharingToken(store: SecretStore): SharingToken {
  const renew = async () => {
    const value = makeToken();
    await keepSecretFor(store, ref, value);
    return { value, place: store.keeping };
  };
  return { read: async () => (await findSecretFor(store, ref)) ?? (await renew()), renew };
}
