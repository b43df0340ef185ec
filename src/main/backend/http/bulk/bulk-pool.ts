import type { LookupFunction } from 'node:net';
import { openBulkConnection, type BulkConnection, type BulkEnd } from './bulk-connection.ts';

// Servers close what is idle for longer without a word.
const idleMs = 5000;
const usualHeadMs = 60_000;

/** A connection for one request, and whether it has served another before. */
export interface Lease {
  connection: BulkConnection;
  isReused: boolean;
  /** Gives it back: kept for the next request, or closed. */
  release(isReusable: boolean): void;
}

/** Keeps connections for the next request to the same origin. */
export interface BulkPool {
  /** How long a server may take for the head of an answer. */
  readonly headMs: number;
  /** @throws whatever Node says about a connection that can't be made */
  lease(end: BulkEnd, options?: { isFresh?: boolean }): Promise<Lease>;
}

/** How servers are found and waited for, where not as usual. */
export interface BulkPoolOptions {
  lookup?: LookupFunction;
  headMs?: number;
}

/** A pool without connections. */
export function createBulkPool({ lookup, headMs = usualHeadMs }: BulkPoolOptions = {}): BulkPool {
  const idle = new Map<string, { connection: BulkConnection; timer: NodeJS.Timeout }[]>();
  const sessions = new Map<string, Buffer>();

  function takeIdle(key: string): BulkConnection | null {
    for (;;) {
      // The last one used is the least likely to be closed by now.
      const found = idle.get(key)?.pop();
      if (found === undefined) return null;
      clearTimeout(found.timer);
      found.connection.reader = null;
      if (!found.connection.isAlive) continue;
      found.connection.setIdle(false);
      return found.connection;
    }
  }

  function keep(key: string, connection: BulkConnection): void {
    const list = idle.get(key) ?? [];
    idle.set(key, list);
    const drop = () => {
      clearTimeout(entry.timer);
      const index = list.indexOf(entry);
      if (index >= 0) list.splice(index, 1);
      if (list.length === 0 && idle.get(key) === list) idle.delete(key);
      connection.reader = null;
      connection.destroy();
    };
    const entry = { connection, timer: setTimeout(drop, idleMs).unref() };
    connection.reader = {
      takes: 'heads',
      take: () => {
        drop();
        return false;
      },
      end: drop,
    };
    connection.setIdle(true);
    // So that the end of the connection is noticed.
    connection.resume();
    list.push(entry);
  }

  return {
    headMs,
    async lease(end, { isFresh = false } = {}) {
      const key = `${end.isSecure ? 'https' : 'http'}://${end.host}:${end.port}`;
      const known = isFresh ? null : takeIdle(key);
      const connection =
        known ??
        (await openBulkConnection(end, {
          lookup,
          session: sessions.get(key),
          onSession: (session) => void sessions.set(key, session),
        }));
      return {
        connection,
        isReused: known !== null,
        release: (isReusable) => {
          if (isReusable && connection.isAlive) keep(key, connection);
          else connection.destroy();
        },
      };
    },
  };
}
