import { parseEnv } from 'node:util';
import type { ConnectionAuth } from '#shared/connection/connection-settings.ts';
import { maxEnvironmentLength } from '#shared/connection/environment-limit.ts';
import { explainAddress, normalizeAddress } from '#shared/connection/explain-address.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** The names under which users of the service keep its addresses and their secret (field notes §1.1). */
const names = ['EDS_API_URL', 'EDS_AUTH_URL', 'EDS_CLIENT_ID', 'EDS_SECRET'] as const;

/** One of these names. */
export type EnvironmentName = (typeof names)[number];

/** A connection as the environment describes it; null is what it doesn't say. */
export interface EnvironmentDraft {
  name: string | null;
  baseUrl: string | null;
  auth: {
    kind: 'oauth2';
    tokenUrl: string | null;
    clientId: string | null;
    style: Extract<ConnectionAuth, { kind: 'oauth2' }>['style'];
  };
}

/** What was found under these names. */
export interface EnvironmentImport {
  draft: EnvironmentDraft;
  /** Goes to the secret store, never to the window. */
  secret: string | null;
  /** Not there, or empty, and still needed. */
  missing: EnvironmentName[];
  /** Not there; the draft has what the service documents. */
  assumed: EnvironmentName[];
  /** There, but not usable, and why. */
  unusable: { name: EnvironmentName; why: string }[];
}

// Documented as the current addresses, the second for the client id that all accounts share since 2025 (field notes
// §1.0, §1.1). Older accounts have a client id and a token address of their own, which nothing can stand in for.
const documentedApiUrl = 'https://api.earthdaily.com';
const documentedAuthUrl = `${documentedApiUrl}/account_management/v1/authentication/api_tokens/exchange`;
const sharedClientId = 'EARTHDAILY_API_TOKEN';

const catalogPath = '/platform/v1/stac';

/** A connection from environment variables; null when none of the names is among them. */
export function importEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): EnvironmentImport | null {
  const values = readValues(env);
  if (Object.keys(values).length === 0) return null;
  const { EDS_CLIENT_ID: clientId = null, EDS_SECRET: secret = null } = values;
  const isShared = clientId === sharedClientId;
  const api = readAddress(values.EDS_API_URL, documentedApiUrl);
  const auth = readAddress(values.EDS_AUTH_URL, isShared ? documentedAuthUrl : null);
  const baseUrl = api.url === null ? null : toBaseUrl(api.url);
  const addresses = { EDS_API_URL: api, EDS_AUTH_URL: auth };
  const entries = Object.entries(addresses) as [keyof typeof addresses, Address][];
  return {
    draft: {
      name: baseUrl === null ? null : new URL(baseUrl).host,
      baseUrl,
      auth: { kind: 'oauth2', tokenUrl: auth.url, clientId, style: 'body' },
    },
    secret,
    missing: names.filter((name) => {
      const isAddress = name === 'EDS_API_URL' || name === 'EDS_AUTH_URL';
      return values[name] === undefined && !(isAddress && addresses[name].url !== null);
    }),
    assumed: entries
      .filter(([name, { url }]) => values[name] === undefined && url !== null)
      .map(([name]) => name),
    unusable: entries.flatMap(([name, { why }]) => (why === null ? [] : [{ name, why }])),
  };
}

/**
 * A connection from the text of a `.env` file; null when none of the names is in it.
 * @throws AppError `input.too-large`
 */
export function importEnvironmentFile(text: string): EnvironmentImport | null {
  if (text.length > maxEnvironmentLength) {
    throw new AppError('input.too-large', 'That is too long for a file with environment variables', {
      details: { maxBytes: maxEnvironmentLength },
    });
  }
  return importEnvironment(parseEnv(text.replace(/^\uFEFF/, '')));
}

function readValues(
  env: Readonly<Record<string, string | undefined>>,
): Partial<Record<EnvironmentName, string>> {
  const found = names.map((name) => [name, env[name]?.trim() ?? ''] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== ''));
}

interface Address {
  url: string | null;
  /** Why what was written is no address; null when it is one, or nothing was written. */
  why: string | null;
}

function readAddress(written: string | undefined, documented: string | null): Address {
  if (written === undefined) return { url: documented, why: null };
  const text = normalizeAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `https://${written}`);
  const why = explainAddress(text);
  return why === null ? { url: text, why } : { url: null, why };
}

// The name once held the catalog's whole address and now holds the host alone.
function toBaseUrl(apiUrl: string): string {
  const { pathname } = new URL(apiUrl);
  return pathname.split('/').includes('stac') ? apiUrl : `${apiUrl}${catalogPath}`;
}
