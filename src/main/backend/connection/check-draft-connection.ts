import type { CheckStepData } from '#shared/connection/check-step.ts';
import type { ConnectionDraft } from '#shared/connection/connection-settings.ts';
import type { Network } from '../http/network/network.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Catalogs } from './catalogs.ts';
import { checkConnection } from './check-connection.ts';
import { checkDraft } from './check-draft.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import { createCredentials } from './create-credentials.ts';

interface CheckParts {
  catalogs: Catalogs;
  secrets: ConnectionSecrets;
  network: Network;
  clock: Clock;
  logger: Logger;
  isInsecureHttpAllowed: boolean;
  signal: AbortSignal;
}

/**
 * Tries a catalog as it is written down, before it is saved. Without a typed secret it goes with the kept one, which
 * goes only to the server that it was given for.
 * @throws AppError `input.invalid` {field}
 */
export async function* checkDraftConnection(
  draft: ConnectionDraft,
  parts: CheckParts,
): AsyncGenerator<CheckStepData, void> {
  const { catalogs, secrets, ...others } = parts;
  checkDraft(draft, parts);
  const { id, baseUrl, auth, secret } = draft;
  const findKept = async () =>
    id === null ? null : ((await secrets.find({ id, baseUrl, auth }))?.value ?? null);
  const findSecret = () => (secret === null ? findKept() : Promise.resolve(secret));
  const credentials = createCredentials({ kind: 'remote', baseUrl, auth, findSecret }, others);
  // Its requests are counted with those of the account, whichever connection makes them.
  const gate = catalogs.findGate(baseUrl) ?? undefined;
  for await (const step of checkConnection({ baseUrl, credentials, gate, ...others })) {
    yield { ...step, error: step.error?.toData() ?? null };
  }
}
