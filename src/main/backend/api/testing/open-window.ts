import Database from 'better-sqlite3';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient } from '#shared/rpc/client.ts';
import { contract } from '#shared/rpc/contract.ts';
import type { Client } from '#shared/rpc/define-contract.ts';
import { createMemoryPipe } from '#shared/rpc/memory-pipe.ts';
import { createBackend } from '../../backend.ts';
import { serve } from '../../http/testing/serve.ts';
import { startRecordingServer, type RecordingServer } from '../../http/testing/recording-server.ts';
import { systemClock, type Clock } from '../../ports.ts';
import { makePorts } from '../../testing/make-ports.ts';

/** Answers one request for a page of a search. */
export type AnswerSearch = Parameters<typeof startRecordingServer>[0];

/** A window on a program whose catalog is a server of the test. */
export interface TestWindow {
  client: Client<typeof contract>;
  server: RecordingServer;
  /** The requests to `/search` so far, as their bodies or their targets. */
  searches(): string[];
  /** Stops the catalog's server, as when the network goes. */
  cut(): Promise<void>;
  /** Starts it again where it was. */
  putBack(): Promise<void>;
  /** Ends the program and starts it again in the same folder. */
  restart(): Promise<void>;
  /** Reads a file of the data folder whose name begins so. */
  readFile<Row>(namePrefix: string, sql: string): Row[];
}

/** Opens one; it ends with the test. */
export async function openWindow(
  answerSearch: AnswerSearch,
  { clock = systemClock, answerOther }: { clock?: Clock; answerOther?: AnswerSearch } = {},
): Promise<TestWindow> {
  const answer: AnswerSearch = (request, response) => {
    if (request.target.startsWith('/search')) return answerSearch(request, response);
    return answerOther?.(request, response) ?? { body: { collections: [], links: [] } };
  };
  const server = await serve(answer);
  const root = mkdtempSync(join(tmpdir(), 'swath-window-'));
  let program = start();
  onTestFinished(async () => {
    await program.backend.close();
    rmSync(root, { recursive: true, force: true });
  });

  function start() {
    const backend = createBackend({
      isValidating: true,
      connection: { kind: 'remote', baseUrl: server.origin, token: null },
      ports: makePorts(root, { clock }),
    });
    const [near, far] = createMemoryPipe();
    backend.router.serve(far);
    return { backend, client: createClient(contract, near, { isValidating: true }) };
  }

  return {
    get client() {
      return program.client;
    },
    server,
    searches: () =>
      server.requests
        .filter(({ target }) => target.startsWith('/search'))
        .map(({ method, body, target }) => (method === 'POST' ? body : target)),
    cut: () => server.close(),
    async putBack() {
      const again = await startRecordingServer(answer, { port: Number(new URL(server.origin).port) });
      onTestFinished(() => again.close());
    },
    async restart() {
      await program.backend.close();
      program = start();
    },
    readFile<Row>(namePrefix: string, sql: string): Row[] {
      const name = readdirSync(root).find((file) => file.startsWith(namePrefix) && file.endsWith('.sqlite'));
      const database = new Database(join(root, name ?? ''), { readonly: true });
      try {
        return database.prepare(sql).all() as Row[];
      } finally {
        database.close();
      }
    },
  };
}

/** What a test says of an item; the rest is made up. */
export interface TestItem {
  id: string;
  properties?: Record<string, unknown>;
  [member: string]: unknown;
}

/** A catalog that answers these pages one after the other; each but the last has a next link. */
export function pagesOf(
  pages: readonly (readonly (string | TestItem)[])[] | (() => readonly (readonly (string | TestItem)[])[]),
): AnswerSearch {
  return ({ target, headers }) => {
    const all = typeof pages === 'function' ? pages() : pages;
    const number = Number(/page=(\d+)/.exec(target)?.[1] ?? 0);
    const href = `http://${headers.host ?? ''}/search?page=${String(number + 1)}`;
    return {
      body: {
        type: 'FeatureCollection',
        features: (all[number] ?? []).map(toFeature),
        links: number >= all.length - 1 ? [] : [{ rel: 'next', href }],
      },
    };
  };
}

/** A Feature with its cloud cover; null is unknown. */
export function clouded(id: string, cloudCover: number | null): TestItem {
  return { id, properties: { 'eo:cloud_cover': cloudCover } };
}

function toFeature(item: string | TestItem): Record<string, unknown> {
  const members = typeof item === 'string' ? { id: item } : item;
  return { type: 'Feature', collection: 'c', ...members };
}
