import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, onTestFinished } from 'vitest';
import type { ConnectionList } from '#shared/connection/connection-list.ts';
import type { ConnectionDraft } from '#shared/connection/connection-settings.ts';
import { createClient } from '#shared/rpc/client.ts';
import { contract } from '#shared/rpc/contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import type { Settings } from '#shared/settings/settings.ts';
import { createBackend, openLog } from '../../backend.ts';
import type { RecordingServer } from '../../http/testing/recording-server.ts';
import { serve } from '../../http/testing/serve.ts';
import { systemClock } from '../../ports.ts';
import { makePorts } from '../../testing/make-ports.ts';
import type { ConnectionChoice } from '../connection-choice.ts';

/** What must be seen by nobody but the server that it is for. */
export const secret = 'hunter2-very-secret';

interface Wish {
  choice?: ConnectionChoice | null;
  env?: Record<string, string>;
}

/** A folder, settings and a window for the tests of one file, new for each test. */
class Desk {
  root = '';
  /** The settings, as they were last written. */
  stored: Record<string, unknown> = {};
  /** Everything that the program told the window. */
  crossed: string[] = [];

  clear(): void {
    this.root = mkdtempSync(join(tmpdir(), 'swath-catalogs-'));
    mkdirSync(join(this.root, 'home'));
    this.stored = {};
    this.crossed = [];
  }

  /** Starts the program, until the test is over. */
  open({ choice = null, env = {} }: Wish = {}) {
    const { root } = this;
    const backend = createBackend({
      isValidating: true,
      connection: choice,
      ports: makePorts(join(root, 'home'), {
        dataDir: join(root, 'data'),
        settings: {
          read: () => this.stored,
          write: (settings: Settings) => void (this.stored = { ...settings }),
        },
        env,
        logger: openLog(join(root, 'swath.log'), { clock: systemClock }),
      }),
    });
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (!isClosed) await backend.close();
      isClosed = true;
    };
    onTestFinished(close);
    const [near, far] = createMemoryPipe();
    near.onMessage((text) => this.crossed.push(text));
    backend.router.serve(far);
    const client = createClient(contract, near, { isValidating: true });
    const watchList = () => {
      const seen: { list: ConnectionList | null } = { list: null };
      client.connection.list({}, { onEvent: (list) => (seen.list = list) });
      return seen;
    };
    return { client, close, watchList };
  }
}

/** A desk that is cleared before each test. */
export function useDesk(): Desk {
  const desk = new Desk();
  beforeEach(() => desk.clear());
  afterEach(() => rmSync(desk.root, { recursive: true, force: true }));
  return desk;
}

/** A catalog of one collection and one item, named after it. */
export function serveCatalog(name: string, hold?: Promise<void>): Promise<RecordingServer> {
  return serve(async ({ target }) => {
    if (target.startsWith('/search')) {
      await hold;
      return {
        body: {
          type: 'FeatureCollection',
          features: [{ type: 'Feature', id: `item-of-${name}`, collection: name }],
          links: [],
        },
      };
    }
    return { body: { collections: [{ id: name, links: [] }], links: [] } };
  });
}

/** A catalog with a token, as a person writes it down. */
export function draftOf(server: { origin: string }, changes: Partial<ConnectionDraft> = {}): ConnectionDraft {
  return {
    id: null,
    name: 'Archive',
    baseUrl: `${server.origin}/`,
    auth: { kind: 'token' },
    links: 'auto',
    maxConcurrentRequests: 30,
    secret,
    ...changes,
  };
}

/** The Authorization headers that a server has seen, each once. */
export const tokensSeenBy = (server: RecordingServer) => [
  ...new Set(server.requests.map(({ headers }) => headers.authorization)),
];
