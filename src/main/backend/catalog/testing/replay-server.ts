import { gzipSync } from 'node:zlib';
import { isJsonObject } from '#shared/stac/json.ts';
import type { RecordedRequest, RecordingServer, Reply } from '../../http/testing/recording-server.ts';
import { serve } from '../../http/testing/serve.ts';
import type { Cassette, Interaction } from './cassettes.ts';

/** What is answered to a request that was not recorded: a status that no recording has. */
export const notRecordedStatus = 418;

/** The servers of a cassette on loopback, one origin for each recorded one. */
export interface ReplayServer {
  /** The loopback address in place of a recorded one. */
  rehost(url: string): string;
  /** Recorded exchanges that were asked for. */
  served: Set<Interaction>;
}

/** Plays a cassette until the test ends. Next links in its answers lead to the loopback origins. */
export async function replay(cassette: Cassette): Promise<ReplayServer> {
  const served = new Set<Interaction>();
  const servers = new Map<string, RecordingServer>();
  for (const origin of new Set(cassette.interactions.map(({ url }) => url.origin))) {
    servers.set(origin, await serve((request) => answer(origin, request)));
  }

  function answer(origin: string, request: RecordedRequest): Reply {
    const key = requestKey(request.method, new URL(request.target, origin), request.body);
    const matching = cassette.interactions.filter(
      ({ method, url, requestBody }) =>
        url.origin === origin && requestKey(method, url, requestBody ?? '') === key,
    );
    // Some recordings hold the same exchange several times.
    for (const interaction of matching) served.add(interaction);
    const [first] = matching;
    if (first === undefined) return { status: notRecordedStatus, body: { detail: 'not recorded' } };
    const body = relink(first.body);
    return {
      status: first.status,
      headers: {
        ...(first.contentType === null ? {} : { 'content-type': first.contentType }),
        ...(first.location === null ? {} : { location: rehost(first.location) }),
        ...(first.isPacked ? { 'content-encoding': 'gzip' } : {}),
      },
      body: first.isPacked ? gzipSync(body) : body,
    };
  }

  function rehost(url: string): string {
    for (const [origin, server] of servers) {
      if (url === origin || url.startsWith(`${origin}/`)) return server.origin + url.slice(origin.length);
    }
    return url;
  }

  function relink(body: string): string {
    if (!body.startsWith('{')) return body;
    const json: unknown = JSON.parse(body);
    if (!isJsonObject(json) || !Array.isArray(json['links'])) return body;
    for (const link of json['links']) {
      if (!isJsonObject(link) || typeof link['href'] !== 'string') continue;
      if (link['rel'] === 'next') link['href'] = rehost(link['href']);
    }
    return JSON.stringify(json);
  }

  return { rehost, served };
}

// The client that was recorded repeats the collection in the query of its item list; that says nothing new.
function requestKey(method: string, url: URL, body: string): string {
  const isItemList = url.pathname.endsWith('/items');
  const params = [...url.searchParams].filter(([name]) => !(isItemList && name === 'collections'));
  const query = params.map((pair) => pair.join('=')).sort();
  return JSON.stringify([method, url.pathname, query, body === '' ? null : sorted(JSON.parse(body))]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}
