import { isLoopback } from '#shared/connection/is-loopback.ts';
import { AppError, isAppError, toAppError } from '#shared/errors/app-error.ts';
import { isJsonObject } from '#shared/stac/json.ts';
import { probeServer } from '../http/probe-server.ts';
import {
  inMs,
  skipped,
  timed,
  type CheckContext,
  type Finding,
  type Findings,
} from './check-connection-findings.ts';

/** Whether something answers at the address. */
export async function checkReach(context: CheckContext, findings: Findings): Promise<Finding> {
  const { baseUrl: url, network, clock, signal } = context;
  const { host } = new URL(url);
  findings.reach = await probeServer({ url, network, clock, signal }).catch(toAppError);
  const { reach } = findings;
  if (!(reach instanceof AppError)) {
    const way = reach.proxy === null ? '' : `, through the proxy ${reach.proxy}`;
    return { state: 'ok', detail: `${host} answers ${inMs(reach.elapsedMs)}${way}` };
  }
  findings.blocked = 'the server can’t be reached';
  // It was there to fail at TLS, which is the next step's to tell.
  if (reach.code === 'network.tls') return { state: 'ok', detail: `${host} answers` };
  throw reach;
}

/** Whether the way to the catalog is encrypted and its certificate trusted. */
export function checkTls({ baseUrl }: CheckContext, { reach }: Findings): Promise<Finding> {
  return Promise.resolve().then(() => {
    if (isAppError(reach, 'network.tls')) throw reach;
    const { protocol, hostname } = new URL(baseUrl);
    if (protocol === 'http:') {
      return isLoopback(hostname)
        ? skipped('not needed on this computer')
        : ({ state: 'warned', detail: 'http: anyone on the way can read along' } as const);
    }
    if (reach === null || reach instanceof AppError) return skipped('the server can’t be reached');
    const { protocol: version = 'TLS', issuer = null } = reach.tls ?? {};
    return {
      state: 'ok',
      detail: issuer === null ? version : `${version}, certificate issued by ${issuer}`,
    } as const;
  });
}

/** Whether the catalog lets these credentials in. The first question is the one for the collections. */
export async function checkAuthentication(context: CheckContext, findings: Findings): Promise<Finding> {
  const { catalog, credentials, signal } = context;
  if (findings.blocked !== null) return skipped(findings.blocked);
  try {
    await credentials?.accessToken();
  } catch (thrown) {
    findings.blocked = 'there is no access token';
    throw thrown;
  }
  findings.collections = await catalog.collections({ signal }).catch(toAppError);
  const { collections } = findings;
  if (isAppError(collections, 'auth.required') || isAppError(collections, 'auth.forbidden')) {
    findings.blocked = 'the catalog refuses access';
    throw collections;
  }
  if (credentials === null) return skipped('no access token is used');
  return collections instanceof AppError
    ? { state: 'ok', detail: 'there is an access token, and it is not refused' }
    : { state: 'ok', detail: 'the access token is accepted' };
}

/** Whether there are collections. */
export function checkCollections(_: CheckContext, { collections, blocked }: Findings): Promise<Finding> {
  return Promise.resolve().then(() => {
    if (blocked !== null || collections === null) return skipped(blocked ?? 'not asked');
    if (collections instanceof AppError) throw collections;
    const count = collections.length;
    if (count === 0) return { state: 'warned', detail: 'no collections are open to this account' };
    return { state: 'ok', detail: count === 1 ? '1 collection' : `${count} collections` };
  });
}

// Some collections of an account may be empty.
const maxSearched = 20;

/** Whether a search answers. Remembers an item for the steps after it. */
export async function checkSearch(context: CheckContext, findings: Findings): Promise<Finding> {
  if (findings.blocked !== null) return skipped(findings.blocked);
  const ids = collectionIds(findings).slice(0, maxSearched);
  const pages = context.catalog.search({ limit: 1, ...(ids.length === 0 ? {} : { collections: ids }) });
  const [page, time] = await timed(context.clock, pages.next({ signal: context.signal }));
  const [first] = page?.items ?? [];
  if (first === undefined) return { state: 'warned', detail: `answers ${time}, but finds nothing` };
  findings.item = first.ref;
  const matched = page?.matched ?? null;
  const count = matched === null ? '' : `, ${matched.toLocaleString('en-GB')} items match`;
  return { state: 'ok', detail: `answers ${time}${count}` };
}

/** Whether the catalog says what can be filtered by. */
export async function checkQueryables(context: CheckContext, findings: Findings): Promise<Finding> {
  if (findings.blocked !== null) return skipped(findings.blocked);
  const id = findings.item?.collectionId ?? collectionIds(findings)[0];
  const answer = await context.catalog.queryables(id === undefined ? [] : [id], { signal: context.signal });
  const { properties } = answer;
  const count = isJsonObject(properties) ? Object.keys(properties).length : 0;
  // An option of STAC APIs: filters work without, they are only not suggested.
  if (count === 0) return { state: 'warned', detail: 'the catalog names no properties to filter by' };
  return { state: 'ok', detail: `${count} properties${id === undefined ? '' : ` of ${id}`}` };
}

function collectionIds({ collections }: Findings): string[] {
  return collections === null || collections instanceof AppError ? [] : collections.map(({ id }) => id);
}
