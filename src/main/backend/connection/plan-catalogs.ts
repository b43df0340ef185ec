import {
  demoConnectionId,
  maxRequestsOfAccount,
  type ConnectionSettings,
} from '#shared/connection/connection-settings.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Settings } from '#shared/settings/settings.ts';
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
  switch (choice?.kind) {
    case 'demo':
      return { plans, firstId: demoConnectionId };
    case 'saved':
      return { plans, firstId: findSaved(connections, choice.nameOrId) };
    case 'remote':
    case 'client': {
      const named = planNamed(choice, connections);
      if (named.plan) plans.set(named.id, named.plan);
      return { plans, firstId: named.id };
    }
    case undefined:
      return { plans, firstId: plans.has(connectionId) ? connectionId : demoConnectionId };
  }
}

/**
 * The settings of the catalog in use at the start; null for one that isn't in them.
 * @throws AppError `connection.not-found` when the command line names one that isn't there
 */
export function findFirst(
  choice: ConnectionChoice | null,
  { connections, connectionId }: Pick<Settings, 'connections' | 'connectionId'>,
): ConnectionSettings | null {
  switch (choice?.kind) {
    case 'demo':
      return null;
    case 'saved': {
      const id = findSaved(connections, choice.nameOrId);
      return connections.find((one) => one.id === id) ?? null;
    }
    case 'remote':
    case 'client':
      return connections.find(({ baseUrl }) => baseUrl === choice.baseUrl) ?? null;
    case undefined:
      return connections.find(({ id }) => id === connectionId) ?? null;
  }
}

/** The catalog of an address on the command line. Without a plan it is meant as it was set up. */
function planNamed(
  choice: Extract<ConnectionChoice, { kind: 'remote' | 'client' }>,
  connections: readonly ConnectionSettings[],
): { id: string; plan: CatalogPlan | null } {
  const saved = connections.find(({ baseUrl }) => baseUrl === choice.baseUrl);
  if (saved && choice.kind === 'remote' && choice.token === null) return { id: saved.id, plan: null };
  const id = saved?.id ?? freeIdOf(choice.baseUrl, connections);
  const source = toSource(choice);
  const way = 'command line';
  if (saved) return { id, plan: { ...describeSaved(saved), source, way } };
  const { host } = new URL(choice.baseUrl);
  const plan = { id, name: host, links: 'auto', maxRequests: maxRequestsOfAccount, settings: null } as const;
  return { id, plan: { ...plan, source, way } };
}

// A connection whose address was changed keeps its id, which is the hash of another address.
function freeIdOf(baseUrl: string, connections: readonly ConnectionSettings[]): string {
  const id = idOfAddress(baseUrl);
  return connections.some((one) => one.id === id) ? `${id}x` : id;
}

// By its id, or else by its name.
function findSaved(connections: readonly ConnectionSettings[], nameOrId: string): string {
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
  const { name, baseUrl, auth } = settings;
  const findSecret = async () => (await secrets.find(settings))?.value ?? null;
  return {
    ...describeSaved(settings),
    source: { kind: 'remote', baseUrl, auth, findSecret },
    way: JSON.stringify([name, baseUrl, auth]),
  };
}

function describeSaved(settings: ConnectionSettings) {
  const { id, name, links, maxConcurrentRequests: maxRequests } = settings;
  return { id, name, links, maxRequests, settings };
}
