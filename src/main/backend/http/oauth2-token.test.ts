import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { AppError } from '#shared/errors/app-error.ts';
import type { Logger } from '../ports.ts';
import { createHttpClient } from './create-http-client.ts';
import type { TokenSource } from './http-client.ts';
import { createOAuth2Tokens, type OAuth2Client } from './oauth2-token.ts';
import { failureOf } from './testing/failure-of.ts';
import { createManualTime, type ManualTime } from './testing/manual-time.ts';
import { startRecordingServer, type Reply } from './testing/recording-server.ts';
import { serve } from './testing/serve.ts';

const clientId = 'EDA/client+1';
const secret = 's3cr3t/with+odd=chars & more';
const logged: unknown[] = [];
const logger: Logger = {
  info: (...line) => void logged.push(line),
  warn: (...line) => void logged.push(line),
  error: (...line) => void logged.push(line),
};

/** A token address that numbers its tokens. */
async function serveTokens(reply: (count: number) => Partial<Reply> | null = () => ({})) {
  let count = 0;
  const server = await serve(() => {
    count += 1;
    const body = { access_token: `token-${count}`, expires_in: 3600, token_type: 'Bearer' };
    return { body, ...reply(count) };
  });
  return Object.assign(server, { tokenUrl: `${server.origin}/oauth/token` });
}

function tokensFrom(
  tokenUrl: string,
  client: Partial<OAuth2Client> = {},
  time: ManualTime = createManualTime(),
): TokenSource {
  return createOAuth2Tokens({
    client: { tokenUrl, clientId, style: 'body', secret: () => Promise.resolve(secret), ...client },
    clock: time,
    logger,
  });
}

function expectNoSecretIn(error: AppError): void {
  const everything = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error.toData())} ${inspect(logged, { depth: 10 })}`;
  const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
  for (const word of [secret, encodeURIComponent(secret), clientId, basic, 's3cr3t']) {
    expect(everything).not.toContain(word);
  }
}

describe('a token request', () => {
  it('names the client in the form', async () => {
    const server = await serveTokens();
    expect(await tokensFrom(server.tokenUrl).accessToken()).toBe('token-1');
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', target: '/oauth/token' });
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(request?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    });
  });

  it('names the client by HTTP Basic', async () => {
    const server = await serveTokens();
    expect(await tokensFrom(server.tokenUrl, { style: 'basic' }).accessToken()).toBe('token-1');
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe(
      `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    );
    expect(request?.body).toBe('grant_type=client_credentials');
  });

  it('tries the standard spelling of HTTP Basic where the usual one is refused', async () => {
    const server = await serveTokens((count) => (count === 1 ? { status: 401, body: {} } : {}));
    expect(await tokensFrom(server.tokenUrl, { style: 'basic' }).accessToken()).toBe('token-2');
    const pair = Buffer.from(server.requests[1]?.headers.authorization?.slice(6) ?? '', 'base64').toString();
    expect(pair).toBe('EDA%2Fclient%2B1:s3cr3t%2Fwith%2Bodd%3Dchars+%26+more');
  });

  it.each([
    [401, { error: 'invalid_client', error_description: `no such client ${clientId} with ${secret}` }],
    [400, { error: 'invalid_client' }],
    [400, `client_secret=${encodeURIComponent(secret)} is wrong`],
    [401, { message: `${'x'.repeat(270)} ${secret}` }],
  ])('that is refused with %i says why, without secrets', async (status, body) => {
    const server = await serveTokens(() => ({ status, body }));
    const error = await failureOf(tokensFrom(server.tokenUrl).accessToken());
    expect(error.code).toBe('auth.client-refused');
    expect(error.details).toMatchObject({ status, host: new URL(server.origin).host });
    expect(error.details['reason']).toMatch(/invalid_client|no such client|is wrong|xxx/);
    expectNoSecretIn(error);
  });

  it('follows no redirect', async () => {
    const thief = await serve(() => ({ body: { access_token: 'bait' } }));
    const server = await serveTokens(() => ({
      status: 307,
      headers: { location: `${thief.origin}/t?${secret}` },
    }));
    const error = await failureOf(tokensFrom(server.tokenUrl, { style: 'basic' }).accessToken());
    expect(error.code).toBe('http.unexpected-status');
    expect(thief.requests).toHaveLength(0);
    expectNoSecretIn(error);
  });

  it.each([
    ['a web page', '<html><title>Sign in</title></html>'],
    ['no token', { expires_in: 3600 }],
    ['a token that would end the header', { access_token: 'a\r\nx: y' }],
    ['a token of another type', { access_token: 'abc', token_type: 'mac' }],
  ])('that is answered with %s is an error', async (_, body) => {
    const server = await serveTokens(() => ({ body }));
    expect((await failureOf(tokensFrom(server.tokenUrl).accessToken())).code).toBe('http.unexpected-status');
  });

  it('that meets a dead network keeps the code and names the token host', async () => {
    const server = await startRecordingServer(() => ({}));
    await server.close();
    const error = await failureOf(tokensFrom(server.origin, { style: 'basic' }).accessToken());
    expect(error.code).toBe('network.offline');
    expect(error.details['host']).toBe(new URL(server.origin).host);
    expectNoSecretIn(error);
  });

  it('is not made without a secret', async () => {
    const server = await serveTokens();
    const tokens = tokensFrom(server.tokenUrl, { secret: () => Promise.resolve(null) });
    expect((await failureOf(tokens.accessToken())).code).toBe('auth.secret-missing');
    expect(server.requests).toHaveLength(0);
  });

  it('goes over https, or on this computer, or where it was chosen', async () => {
    const create = (tokenUrl: string, isInsecureHttpAllowed = false) =>
      failureOf(
        Promise.resolve().then(() =>
          createOAuth2Tokens({
            client: { tokenUrl, clientId, style: 'body', secret: () => Promise.resolve(secret) },
            clock: createManualTime(),
            logger,
            isInsecureHttpAllowed,
          }),
        ),
      );
    for (const url of [
      'http://auth.example/t',
      'ftp://auth.example',
      'nonsense',
      'https://a:b@auth.example/',
    ]) {
      expect((await create(url)).toData()).toMatchObject({
        code: 'input.invalid',
        details: { field: 'tokenUrl' },
      });
    }
    await expect(create('http://auth.example/t', true)).rejects.toThrow('expected an AppError');
    await expect(create('https://auth.example/t')).rejects.toThrow('expected an AppError');
    await expect(create('http://localhost:1/t')).rejects.toThrow('expected an AppError');
  });
});

describe('a token', () => {
  it('is fetched once however many ask, and kept until shortly before it ends', async () => {
    const time = createManualTime();
    const server = await serveTokens();
    const tokens = tokensFrom(server.tokenUrl, {}, time);
    const all = await Promise.all(Array.from({ length: 20 }, () => tokens.accessToken()));
    expect(new Set(all)).toEqual(new Set(['token-1']));
    await time.advance(3539_999);
    expect(await tokens.accessToken()).toBe('token-1');
    await time.advance(1);
    expect(await tokens.accessToken()).toBe('token-2');
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['a short life', { expires_in: 100 }, 90_000],
    ['a life in quotes', { expires_in: '7200' }, 7140_000],
    ['no life', {}, 3540_000],
    ['nonsense', { expires_in: -1 }, 3540_000],
  ])('with %s is renewed in time', async (_, life, renewAtMs) => {
    const time = createManualTime();
    const server = await serveTokens((count) => ({ body: { access_token: `token-${count}`, ...life } }));
    const tokens = tokensFrom(server.tokenUrl, {}, time);
    await tokens.accessToken();
    await time.advance(renewAtMs - 1);
    expect(await tokens.accessToken()).toBe('token-1');
    await time.advance(1);
    expect(await tokens.accessToken()).toBe('token-2');
  });

  it('that is still valid serves while the token address is out of order', async () => {
    const time = createManualTime();
    const server = await serveTokens((count) => (count === 1 ? {} : { status: 503 }));
    const tokens = tokensFrom(server.tokenUrl, {}, time);
    await tokens.accessToken();
    await time.advance(3550_000);
    expect(await tokens.accessToken()).toBe('token-1');
    await time.advance(50_000);
    expect((await failureOf(tokens.accessToken())).code).toBe('http.unexpected-status');
  });
});

describe('a 401 from the catalog', () => {
  /** A catalog that takes the tokens that it is told to, and a client for it. */
  async function setUp(isAccepted: (token: string) => boolean) {
    const time = createManualTime();
    const tokenServer = await serveTokens();
    const catalog = await serve(({ headers }) => {
      const token = headers.authorization?.replace('Bearer ', '') ?? '';
      return isAccepted(token)
        ? { body: { ok: true } }
        : { status: 401, body: { detail: `bad token ${token}` } };
    });
    const tokens = tokensFrom(tokenServer.tokenUrl, {}, time);
    const client = createHttpClient({
      credentials: { origin: catalog.origin, ...tokens },
      clock: time,
      logger,
      wait: time.wait,
    });
    const get = (path: string) => client.send({ url: `${catalog.origin}${path}`, auth: 'catalog' });
    return { time, tokenServer, catalog, client, get };
  }

  it('renews the token once, however many requests meet it, and repeats each of them once', async () => {
    const { tokenServer, catalog, get } = await setUp((token) => token === 'token-2');
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => get(`/${n}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(200));
    expect(tokenServer.requests).toHaveLength(2);
    expect(catalog.requests).toHaveLength(50);
  });

  it('is passed on when the new token is refused too, and does not fetch tokens again and again', async () => {
    const { time, tokenServer, catalog, get } = await setUp(() => false);
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => get(`/${n}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(401));
    expect(answers[0]?.body.toString()).not.toContain('token-');
    expect(catalog.requests).toHaveLength(50);
    expect((await get('/again')).status).toBe(401);
    expect(tokenServer.requests).toHaveLength(2);
    expect(catalog.requests).toHaveLength(51);
    await time.advance(60_000);
    await get('/later');
    expect(tokenServer.requests).toHaveLength(3);
  });

  it('renews a token that came in place of another, though the clock was put back since', async () => {
    let accepted = 'token-2';
    const { time, get } = await setUp((token) => token === accepted);
    expect((await get('/first')).status).toBe(200);
    await time.advance(-5 * 3_600_000);
    accepted = 'token-3';
    expect((await get('/second')).status).toBe(200);
  });

  it('makes no call ask for more than one other token, however many there are', async () => {
    let count = 0;
    const next = () => Promise.resolve(`token-${(count += 1)}`);
    const catalog = await serve(({ target }) =>
      target === '/moved' ? { status: 401 } : { status: 307, headers: { location: '/moved' } },
    );
    const client = createHttpClient({
      credentials: { origin: catalog.origin, accessToken: next, renew: next },
      clock: createManualTime(),
      logger,
    });
    expect((await client.send({ url: `${catalog.origin}/a`, auth: 'catalog' })).status).toBe(401);
    expect(catalog.requests.map(({ target }) => target)).toEqual(['/a', '/moved', '/moved']);
  });

  it('renews for a transfer too', async () => {
    const { catalog, client } = await setUp((token) => token === 'token-2');
    const opened = await client.open({ url: `${catalog.origin}/asset`, auth: 'catalog' });
    expect(opened.status).toBe(200);
    expect(Buffer.concat(await opened.body.toArray()).toString()).toBe('{"ok":true}');
  });

  it('of another server renews nothing', async () => {
    const { tokenServer, client } = await setUp(() => true);
    const other = await serve(() => ({ status: 401 }));
    expect((await client.send({ url: `${other.origin}/x`, auth: 'catalog' })).status).toBe(401);
    expect(tokenServer.requests).toHaveLength(0);
    expect(other.requests).toHaveLength(1);
  });

  it('leaves whoever gives up free while the renewal goes on for the others', async () => {
    const { catalog, client } = await setUp((token) => token === 'token-2');
    const controller = new AbortController();
    const url = `${catalog.origin}/a`;
    const impatient = failureOf(client.send({ url, auth: 'catalog', signal: controller.signal }));
    const patient = client.send({ url, auth: 'catalog' });
    controller.abort();
    expect((await impatient).code).toBe('cancelled');
    expect((await patient).status).toBe(200);
  });
});

it('a token is in no error of the requests that carry it', async () => {
  const catalog = await serve((_, response) => {
    response.destroy();
    return null;
  });
  const client = createHttpClient({
    credentials: { origin: catalog.origin, accessToken: () => Promise.resolve('very-secret-token') },
    clock: createManualTime(),
    logger,
    wait: () => Promise.resolve(),
  });
  const error = await failureOf(client.send({ url: `${catalog.origin}/a`, auth: 'catalog' }));
  expect(error.code).toBe('network.offline');
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('very-secret-token');
});
