import { createRequestGate, type RequestGate } from '../http/request-gate.ts';
import type { Clock } from '../ports.ts';
import type { CatalogPlan } from './plan-catalogs.ts';

/** The gates of the accounts, which outlive a connection that is made anew. */
export interface AccountGates {
  gateOf(plan: CatalogPlan): RequestGate;
  /** The gate of an address's server; null where nothing was asked of it yet. */
  findGate(baseUrl: string): RequestGate | null;
  /** Lets as many requests through as the plans say now. */
  follow(plans: Iterable<CatalogPlan>): void;
}

/**
 * One gate for each server. The service counts requests by account (field notes §1.10), and which connections share an
 * account only their secrets could tell: so all connections to one server count together, by the lowest of their limits.
 */
export function createAccountGates(clock: Clock): AccountGates {
  const gates = new Map<string, RequestGate>();
  const limits = new Map<string, number>();
  return {
    gateOf(plan) {
      const server = serverOf(plan);
      const maxRequests = limits.get(server) ?? plan.maxRequests;
      const gate = gates.get(server) ?? createRequestGate({ maxRequests, clock });
      gates.set(server, gate);
      return gate;
    },
    findGate: (baseUrl) => gates.get(new URL(baseUrl).origin) ?? null,
    follow(plans) {
      limits.clear();
      for (const plan of plans) {
        const server = serverOf(plan);
        limits.set(server, Math.min(plan.maxRequests, limits.get(server) ?? Infinity));
      }
      for (const [server, maxRequests] of limits) gates.get(server)?.setMaxRequests(maxRequests);
    },
  };
}

function serverOf({ id, source }: CatalogPlan): string {
  return source.kind === 'remote' ? new URL(source.baseUrl).origin : id;
}
