import {
  demoConnectionId,
  maxRequestsOfAccount,
  type ConnectionSettings,
} from '#shared/connection/connection-settings.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { LinkMode } from '#shared/transfer/transfer.ts';
import type { SettingsHolder } from '../settings/settings-holder.ts';
import { idOfAddress, toSource, type CatalogSource, type ConnectionChoice } from './connection-choice.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';

/** A catalog as it would be opened. */
export interface CatalogPlan {
  id: string;
  name: string;
  links: LinkMode;
  maxRequests: number;
  source: CatalogSource;
  /** Null where it isn't in the settings. */
  settings: ConnectionSettings | null;
  /** Another text when it has to be connected to anew. */
  way: string;
}

interface PlanParts {
  settings: SettingsHolder;
  secrets: ConnectionSecrets;
  choice: ConnectionChoice | null;
}

/**
 * The catalogs by their ids, the demo catalog first, and which of them is in use at the start.
 * @throws AppError `connection.not-found` when the command line names one that isn't there
 */
export function planCatalogs(parts: PlanParts): { plans: Map<string, CatalogPlan>; firstId: string } {
  const { settings, secrets, choice } = parts;
  const { connections, connectionId } = settings.current;
  const plans = new Map([[demoConnectionId, planDemo(choice)]]);
  for (const one of connections) plans.set(one.id, planSaved(one, secrets));
  if (choice === null) {
    return { plans, firstId: plans.has(connectionId) ? connectionId : demoConnectionId };
  }
  if (choice.kind === 'demo') return { plans, firstId: demoConnectionId };
  if (choice.kind === 'saved') return { plans, firstId: findSaved(connections, choice.nameOrId) };
  const saved = connections.find(({ baseUrl }) => baseUrl === choice.baseUrl) ?? null;
  const id = saved?.id ?? idOfAddress(choice.baseUrl);
  plans.set(id, {
    id,
    name: saved?.name ?? new URL(choice.baseUrl).host,
    links: saved?.links ?? 'auto',
    maxRequests: saved?.maxConcurrentRequests ?? maxRequestsOfAccount,
    source: toSource(choice),
    settings: saved,
    way: 'command line',
  });
  return { plans, firstId: id };
}

/** The id of the catalog that a person names, by its id or else by its name. @throws AppError `connection.not-found` */
export function findSaved(connections: readonly ConnectionSettings[], nameOrId: string): string {
  if (nameOrId === demoConnectionId) return demoConnectionId;
  const wanted = nameOrId.toLowerCase();
  const found =
    connections.find(({ id }) => id === nameOrId) ??
    connections.find(({ name }) => name.toLowerCase() === wanted);
  if (found) return found.id;
  throw new AppError('connection.not-found', `There is no catalog "${nameOrId}"`, {
    details: { connectionId: nameOrId },
  });
}

function planDemo(choice: ConnectionChoice | null): CatalogPlan {
  return {
    id: demoConnectionId,
    name: 'Demo catalog',
    links: 'auto',
    maxRequests: maxRequestsOfAccount,
    source: choice?.kind === 'demo' ? choice : { kind: 'demo' },
    settings: null,
    way: 'demo',
  };
}

function planSaved(settings: ConnectionSettings, secrets: ConnectionSecrets): CatalogPlan {
  const { id, name, baseUrl, auth, links, maxConcurrentRequests } = settings;
  return {
    id,
    name,
    links,
    maxRequests: maxConcurrentRequests,
    source: {
      kind: 'remote',
      baseUrl,
      auth,
      findSecret: async () => (await secrets.find(settings))?.value ?? null,
    },
    settings,
    way: JSON.stringify([name, baseUrl, auth]),
  };
}
