import { demoConnectionId, maxRequestsOfAccount } from '#shared/connection/connection-settings.ts';
import type { ConnectionAuth, ConnectionSettings } from '#shared/connection/connection-settings.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { ConnectionChoice } from './connection-choice.ts';
import { importEnvironment, importEnvironmentFile, type EnvironmentImport } from './import-environment.ts';
import { saveConnection, type ManagedParts } from './manage-connections.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What stands for the catalog of the environment on the command line. */
const environmentName = 'env';

/**
 * Sets up the catalog that environment variables or the text of a `.env` file describe; one that is there already, with
 * the same address and client, is brought up to date.
 * @throws AppError `input.invalid`, `input.too-large`
 */
export async function importConnection(
  source: Environment | string,
  parts: ManagedParts,
): Promise<{ connectionId: string }> {
  const { baseUrl, auth, name, secret } = readComplete(source);
  const { connections } = parts.settings.current;
  const known = connections.find(
    (one) => one.baseUrl === baseUrl && one.auth.kind === 'oauth2' && one.auth.clientId === auth.clientId,
  );
  // The environment is there at the next start as well; memory is not.
  const staysWhereItIs = typeof source !== 'string' && parts.secrets.keeping === 'session';
  return saveConnection(
    {
      ...(known ? keptOf(known) : { links: 'auto' as const, maxConcurrentRequests: maxRequestsOfAccount }),
      id: known?.id ?? null,
      name: known?.name ?? freeName(name, connections),
      baseUrl,
      auth,
      secret: staysWhereItIs ? null : secret,
    },
    parts,
  );
}

function keptOf({ links, s3Access, maxConcurrentRequests }: ConnectionSettings) {
  return { links, maxConcurrentRequests, ...(s3Access === undefined ? {} : { s3Access }) };
}

/** Whether the environment describes a catalog, so that it can be offered. */
export function describesCatalog(env: Environment): boolean {
  const found = importEnvironment(env);
  return found?.draft.auth.clientId != null && found.unusable.length === 0;
}

/**
 * The catalog that the command line names: `env` stands for that of the environment.
 * @throws AppError `input.invalid`, `auth.secret-missing`
 */
export function resolveChoice(choice: ConnectionChoice | null, env: Environment): ConnectionChoice | null {
  if (choice?.kind !== 'saved' || choice.nameOrId !== environmentName) return choice;
  const { baseUrl, auth, secret } = readComplete(env);
  if (secret !== null) return { kind: 'client', baseUrl, auth, secret };
  throw new AppError('auth.secret-missing', 'EDS_SECRET is not set');
}

interface Complete {
  name: string;
  baseUrl: string;
  auth: Extract<ConnectionAuth, { kind: 'oauth2' }>;
  secret: string | null;
}

function readComplete(source: Environment | string): Complete {
  const found = typeof source === 'string' ? importEnvironmentFile(source) : importEnvironment(source);
  if (!found) throw invalid('none of EDS_API_URL, EDS_AUTH_URL, EDS_CLIENT_ID and EDS_SECRET is there');
  const { draft, secret } = found;
  const { baseUrl, name } = draft;
  const { tokenUrl, clientId, style } = draft.auth;
  if (baseUrl === null || tokenUrl === null || clientId === null) throw invalid(explainGaps(found));
  const auth = { kind: 'oauth2', tokenUrl, clientId, style } as const;
  return { name: name ?? new URL(baseUrl).host, baseUrl, auth, secret };
}

function explainGaps({ missing, unusable }: EnvironmentImport): string {
  const [wrong] = unusable;
  if (wrong) return `${wrong.name} can't be used: ${wrong.why}`;
  return `${missing.filter((name) => name !== 'EDS_SECRET').join(' and ')} missing`;
}

function freeName(name: string, connections: readonly { name: string }[]): string {
  const taken = new Set([demoConnectionId, ...connections.map((one) => one.name.toLowerCase())]);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${String(number)}`;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

function invalid(why: string): AppError {
  return new AppError('input.invalid', `The environment describes no catalog: ${why}`, {
    details: { field: 'text', why },
  });
}
