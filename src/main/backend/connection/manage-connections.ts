import { randomBytes } from 'node:crypto';
import {
  demoConnectionId,
  type ConnectionDraft,
  type ConnectionSettings,
} from '#shared/connection/connection-settings.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';
import type { Catalogs } from './catalogs.ts';
import { checkDraft } from './check-draft.ts';
import { idOfAddress } from './connection-choice.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';

/** What it takes to change the catalogs. */
export interface ManagedParts {
  catalogs: Catalogs;
  settings: SettingsHolder;
  secrets: ConnectionSecrets;
  /** Forgets what was learnt about a catalog from its answers. */
  forgetFacts: (connectionId: string) => void;
  /** Whether somebody chose to let secrets cross the network readable (`SWATH_INSECURE_HTTP`). */
  isInsecureHttpAllowed: boolean;
}

/**
 * Writes a catalog down, with its secret where one was typed, and connects anew where it was open.
 * @throws AppError `input.invalid` {field}, `connection.not-found`, `saved.name-taken`
 */
export async function saveConnection(
  { id, secret, ...draft }: ConnectionDraft,
  parts: ManagedParts,
): Promise<{ connectionId: string }> {
  const { catalogs, settings, secrets } = parts;
  const { connections } = settings.current;
  const before = connections.find((one) => one.id === id);
  if (id !== null && !before) throw notFound(id);
  checkName(draft.name, { id, connections });
  checkDraft({ ...draft, secret }, parts);
  const saved: ConnectionSettings = { ...draft, id: id ?? chooseId(draft.baseUrl, connections) };
  if (draft.auth.kind === 'none') await secrets.remove(saved.id);
  else if (secret !== null) await secrets.set(saved, secret);
  if (before && new URL(before.baseUrl).origin !== new URL(saved.baseUrl).origin) parts.forgetFacts(saved.id);
  // Read anew: another one may have been saved while the secret was.
  const others = settings.current.connections;
  settings.change({
    connections: id === null ? [...others, saved] : others.map((one) => (one.id === id ? saved : one)),
  });
  // What only the command line named is there at the next start from now on.
  if (id === null && catalogs.current.id === saved.id) catalogs.select(saved.id);
  if (secret !== null) catalogs.reconnect(saved.id);
  return { connectionId: saved.id };
}

/** Forgets a catalog and its secret; what was kept of it stays on disk. @throws AppError `connection.not-found` */
export async function removeConnection(
  id: string,
  { settings, secrets, forgetFacts }: ManagedParts,
): Promise<void> {
  const { connections, connectionId } = settings.current;
  const rest = connections.filter((one) => one.id !== id);
  if (rest.length === connections.length) throw notFound(id);
  settings.change({
    connections: rest,
    connectionId: connectionId === id ? demoConnectionId : connectionId,
  });
  forgetFacts(id);
  await secrets.remove(id);
}

function checkName(
  name: string,
  { id, connections }: { id: string | null; connections: readonly ConnectionSettings[] },
): void {
  const isTaken = connections.some(
    (one) => one.id !== id && one.name.toLowerCase() === name.trim().toLowerCase(),
  );
  if (isTaken) throw new AppError('saved.name-taken', 'Another catalog has that name', { details: { name } });
}

// The hash of its address where that is free, so that the command line's `--base-url` finds the same library.
function chooseId(baseUrl: string, connections: readonly ConnectionSettings[]): string {
  const id = idOfAddress(baseUrl);
  return connections.some((one) => one.id === id) ? randomBytes(8).toString('hex') : id;
}

function notFound(id: string): AppError {
  return new AppError('connection.not-found', `There is no catalog "${id}"`, {
    details: { connectionId: id },
  });
}
