import type { CheckStepData } from '#shared/connection/check-step.ts';
import type { ConnectionEntry, ConnectionList } from '#shared/connection/connection-list.ts';
import type { ConnectionSettings } from '#shared/connection/connection-settings.ts';
import type { contract } from '#shared/rpc/contract.ts';
import type { Handlers } from '#shared/rpc/define-contract.ts';
import type { CatalogEntry } from '../connection/catalogs.ts';
import { checkDraftConnection } from '../connection/check-draft-connection.ts';
import { describesCatalog, importConnection } from '../connection/import-connection.ts';
import { removeConnection, saveConnection } from '../connection/manage-connections.ts';
import type { ApiParts } from './api-parts.ts';
import { toTimestamp } from './kept-answers.ts';
import { streamLatest } from './stream-latest.ts';

/** Handlers of `connection`. */
export function createConnectionApi(parts: ApiParts): Handlers<typeof contract>['connection'] {
  const { catalogs, ports } = parts;
  const onChange = (listener: () => void) => catalogs.onChange(listener);
  const isInsecureHttpAllowed = ports.env?.['SWATH_INSECURE_HTTP'] === '1';
  const { facts } = parts.notebook;
  const managed = { ...parts, isInsecureHttpAllowed, forgetFacts: (id: string) => facts.forget(id) };
  const { clock, logger } = ports;
  const { network } = parts.access;
  return {
    watch: (_input, emit, { signal }) =>
      streamLatest({ read: () => readCurrent(parts), onChange, emit, signal }),
    retry: async () => {
      await catalogs.current.connection.retry();
      return {};
    },
    list: (_input, emit, { signal }) => streamLatest({ read: () => readList(parts), onChange, emit, signal }),
    save: (draft) => saveConnection(draft, managed),
    remove: async ({ connectionId }) => {
      await removeConnection(connectionId, managed);
      return {};
    },
    check: async (draft, emit, { signal }) => {
      const steps: CheckStepData[] = [];
      emit({ steps, isDone: false });
      const checking = { ...managed, network, clock, logger, signal };
      for await (const step of checkDraftConnection(draft, checking)) {
        steps.push(step);
        emit({ steps, isDone: false });
      }
      emit({ steps, isDone: true });
    },
    importEnvironment: ({ text }) => importConnection(text ?? ports.env ?? {}, managed),
    select: ({ connectionId }) => {
      catalogs.select(connectionId);
      return {};
    },
  };
}

function readCurrent({ catalogs }: ApiParts) {
  const { id, connection } = catalogs.current;
  const entry = catalogs.list().find((one) => one.id === id);
  const { heldUntilMs, ...status } = connection.status;
  return {
    connectionId: id,
    kind: status.kind,
    baseUrl: status.baseUrl,
    state: status.state,
    problem: status.problem,
    activeRequests: status.activeRequests,
    waitingRequests: status.waitingRequests,
    heldUntil: heldUntilMs === null ? null : toTimestamp(heldUntilMs),
    name: entry?.name ?? status.name,
    links: entry?.links ?? 'auto',
    maxRequests: entry?.maxRequests ?? 1,
  };
}

async function readList(parts: ApiParts): Promise<ConnectionList> {
  const { catalogs, secrets, ports } = parts;
  return {
    connections: await Promise.all(catalogs.list().map((entry) => toEntry(entry, parts))),
    keeping: secrets.keeping,
    hasEnvironment: describesCatalog(ports.env ?? {}),
  };
}

async function toEntry(entry: CatalogEntry, { catalogs, secrets }: ApiParts): Promise<ConnectionEntry> {
  const { id, name, kind, links, maxRequests, baseUrl, settings, status } = entry;
  const secret = settings && settings.auth.kind !== 'none' ? await secrets.find(settings) : null;
  return {
    id,
    name,
    kind,
    links,
    maxConcurrentRequests: maxRequests,
    baseUrl,
    ...(settings ? toAccess(settings) : { auth: null }),
    isSaved: settings !== null,
    isCurrent: id === catalogs.current.id,
    state: status?.state ?? 'closed',
    problem: status?.problem ?? null,
    secretPlace: secret?.place ?? null,
  };
}

function toAccess({ auth, s3Access }: ConnectionSettings): Pick<ConnectionEntry, 'auth' | 's3Access'> {
  return { auth, ...(s3Access === undefined ? {} : { s3Access }) };
}
