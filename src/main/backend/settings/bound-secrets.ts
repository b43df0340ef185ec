import { isJsonObject } from '#shared/stac/json.ts';
import type { SecretStore } from '../ports.ts';

/** Names a secret, and the server that it is for. */
export interface SecretRef {
  id: string;
  /** Whoever else asks for it, under whatever id, doesn't get it. */
  audience: string;
}

/** The secret of an id, if it was given for that server. */
export async function findSecretFor(
  store: SecretStore,
  { id, audience }: SecretRef,
): Promise<{ value: string; place: 'keychain' | 'session' } | null> {
  const kept = await store.get(id);
  const value = kept && readKept(kept.value, audience);
  return kept && value ? { value, place: kept.place } : null;
}

/** Keeps a secret for one server. */
export async function keepSecretFor(
  store: SecretStore,
  { id, audience }: SecretRef,
  value: string,
): Promise<void> {
  await store.set(id, JSON.stringify({ for: audience, value }));
}

function readKept(text: string, audience: string): string | null {
  try {
    const kept: unknown = JSON.parse(text);
    const isMeant = isJsonObject(kept) && kept['for'] === audience && typeof kept['value'] === 'string';
    return isMeant ? String(kept['value']) : null;
  } catch {
    return null;
  }
}
