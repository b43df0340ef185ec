import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultNetworkSettings, type NetworkSettings } from '#shared/settings/network-settings.ts';
import { silentLogger } from '../../ports.ts';
import { createHttpClient } from '../create-http-client.ts';
import type { HttpClient } from '../http-client.ts';
import { createOAuth2Tokens } from '../oauth2-token.ts';
import { failureOf } from '../testing/failure-of.ts';
import { createManualTime } from '../testing/manual-time.ts';
import { serve } from '../testing/serve.ts';
import { startTestProxy } from '../testing/test-proxy.ts';
import { startTlsServer } from '../testing/tls-server.ts';
import { createNetwork, type Network, type NetworkOptions } from './network.ts';

const clock = createManualTime();

function networkWith(options: Partial<NetworkOptions> = {}): Network {
  return createNetwork({
    settings: defaultNetworkSettings,
    env: {},
    clock,
    logger: silentLogger,
    ...options,
  });
}

function clientOver(network: Network, origin?: string): HttpClient {
  return createHttpClient({
    credentials: origin === undefined ? null : { origin, accessToken: () => Promise.resolve('sesame') },
    network,
    clock,
    logger: silentLogger,
    wait: () => Promise.resolve(),
  });
}

const manual = (url: string): NetworkSettings => ({ proxy: { mode: 'manual', url }, extraCaFile: null });

/** The same server under a name that only the proxy can find. */
const behindProxy = (origin: string) => origin.replace('127.0.0.1', 'catalog.test');

async function writeCaFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-ca-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'ca.pem');
  await writeFile(file, text);
  return file;
}

async function closedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

const oddTarget = "/k/%2e%2e/x?sig=a%2Bb+c%3D&q='quoted'&e=";

describe('an http proxy', () => {
  it('is asked for whole http URLs, byte for byte, over connections that are used again', async () => {
    const proxy = await startTestProxy();
    const server = await serve(() => ({ body: { ok: true } }));
    const client = clientOver(
      networkWith({ settings: manual(`http://${proxy.address}`) }),
      behindProxy(server.origin),
    );
    const url = `${behindProxy(server.origin)}${oddTarget}`;
    expect((await client.send({ url, auth: 'catalog' })).status).toBe(200);
    const opened = await client.open({ url, auth: 'none' });
    await opened.body.toArray();
    expect(proxy.asked.map(({ line }) => line)).toEqual([`GET ${url}`, `GET ${url}`]);
    expect(proxy.asked[0]?.host).toBe(new URL(url).host);
    expect(server.requests.map(({ target }) => target)).toEqual([oddTarget, oddTarget]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sesame', undefined]);
    expect(proxy.connectionCount()).toBe(1);
  });

  it('makes tunnels for https URLs, and sees nothing of what goes through', async () => {
    const proxy = await startTestProxy();
    const server = await startTlsServer('catalog.test');
    const extraCaFile = await writeCaFile(server.authority);
    const network = networkWith({ settings: { ...manual(`http://${proxy.address}`), extraCaFile } });
    const client = clientOver(network, `https://catalog.test:${server.port}`);
    const url = `https://catalog.test:${server.port}${oddTarget}`;
    for (let count = 0; count < 2; count += 1) {
      expect((await client.send({ url, auth: 'catalog' })).body.toString()).toBe('{"secure":true}');
    }
    expect(server.requests.map(({ target }) => target)).toEqual([oddTarget, oddTarget]);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer sesame' });
    expect(proxy.asked.map(({ line }) => line)).toEqual([`CONNECT catalog.test:${server.port}`]);
    expect(proxy.connectionCount()).toBe(1);
  });

  it('carries the POST of a search', async () => {
    const proxy = await startTestProxy();
    const server = await serve(() => ({ body: {} }));
    const client = clientOver(networkWith({ settings: manual(`http://${proxy.address}`) }));
    await client.send({
      url: `${behindProxy(server.origin)}/search`,
      method: 'POST',
      json: { limit: 1 },
      auth: 'none',
    });
    expect(server.requests[0]).toMatchObject({ method: 'POST', body: '{"limit":1}' });
  });

  it('stands before token addresses too', async () => {
    const proxy = await startTestProxy();
    const server = await serve(() => ({ body: { access_token: 'abc' } }));
    const tokens = createOAuth2Tokens({
      client: {
        tokenUrl: `${behindProxy(server.origin)}/token`,
        clientId: 'id',
        style: 'basic',
        secret: () => Promise.resolve('secret'),
      },
      network: networkWith({ settings: manual(`http://${proxy.address}`) }),
      clock,
      logger: silentLogger,
      isInsecureHttpAllowed: true,
    });
    expect(await tokens.accessToken()).toBe('abc');
    expect(proxy.asked).toHaveLength(1);
  });

  it('gets its login from the secret store, and nobody else does', async () => {
    const expected = `Basic ${Buffer.from('me:p:ss').toString('base64')}`;
    const proxy = await startTestProxy((login) => (login === expected ? null : 407));
    const server = await serve(() => ({ body: {} }));
    const tls = await startTlsServer('catalog.test');
    const settings = { ...manual(`http://${proxy.address}`), extraCaFile: await writeCaFile(tls.authority) };
    const client = clientOver(networkWith({ settings, proxyLogin: () => Promise.resolve('me:p:ss') }));
    await client.send({ url: `${behindProxy(server.origin)}/`, auth: 'none' });
    await client.send({ url: `https://catalog.test:${tls.port}/`, auth: 'none' });
    expect(server.requests[0]?.headers['proxy-authorization']).toBeUndefined();
    expect(tls.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it('that speaks TLS itself is trusted by the same authorities', async () => {
    const tls = await startTlsServer('localhost');
    const settings = {
      ...manual(`https://localhost:${tls.port}`),
      extraCaFile: await writeCaFile(tls.authority),
    };
    const answer = await clientOver(networkWith({ settings })).send({
      url: 'http://catalog.test/a?b',
      auth: 'none',
    });
    expect(answer.body.toString()).toBe('{"secure":true}');
    expect(tls.requests[0]).toMatchObject({
      target: 'http://catalog.test/a?b',
      headers: { host: 'catalog.test' },
    });
  });

  it('is used without a login when the secret store fails', async () => {
    const proxy = await startTestProxy();
    const server = await serve(() => ({ body: {} }));
    const settings = manual(`http://${proxy.address}`);
    const network = networkWith({ settings, proxyLogin: () => Promise.reject(new Error('locked')) });
    const answer = await clientOver(network).send({ url: behindProxy(server.origin), auth: 'none' });
    expect(answer.status).toBe(200);
    expect(proxy.asked[0]?.authorization).toBeUndefined();
  });

  it('gets its login once the secret store is unlocked', async () => {
    const proxy = await startTestProxy();
    const server = await serve(() => ({ body: {} }));
    let isLocked = true;
    const proxyLogin = () => (isLocked ? Promise.reject(new Error('locked')) : Promise.resolve('me:p'));
    const client = clientOver(networkWith({ settings: manual(`http://${proxy.address}`), proxyLogin }));
    const ask = () => client.send({ url: behindProxy(server.origin), auth: 'none' });
    await ask();
    isLocked = false;
    await ask();
    const login = `Basic ${Buffer.from('me:p').toString('base64')}`;
    expect(proxy.asked.map(({ authorization }) => authorization)).toEqual([undefined, login]);
  });

  it.each([
    ['https', 407],
    ['https', 403],
    ['https', 502],
    ['http', 407],
  ])(
    'that refuses %s with %i is named, without its login, and its page is not taken for an answer',
    async (scheme, status) => {
      const proxy = await startTestProxy(() => status);
      const env = { ALL_PROXY: `http://me:hush-hush@${proxy.address}` };
      const client = clientOver(networkWith({ env }));
      const error = await failureOf(client.send({ url: `${scheme}://catalog.test/`, auth: 'none' }));
      expect(error.toData()).toMatchObject({
        code: 'network.proxy',
        details: { proxy: proxy.address, host: 'catalog.test', status },
        retryable: status >= 500,
      });
      const everything = inspect(error, { depth: 8, showHidden: true });
      expect(everything).not.toContain('hush-hush');
      expect(everything).not.toContain(Buffer.from('me:hush-hush').toString('base64'));
      expect((await failureOf(client.open({ url: `${scheme}://catalog.test/`, auth: 'none' }))).code).toBe(
        'network.proxy',
      );
    },
  );

  it.each(['http', 'https', 'socks5'])('over %s that can’t be reached is named', async (protocol) => {
    const address = `127.0.0.1:${await closedPort()}`;
    const client = clientOver(networkWith({ settings: manual(`${protocol}://${address}`) }));
    for (const url of ['https://catalog.test/', 'http://catalog.test/']) {
      const error = await failureOf(client.send({ url, auth: 'none' }));
      expect(error.toData()).toMatchObject({
        code: 'network.proxy',
        details: { proxy: address, status: null },
        retryable: true,
      });
    }
  });
});

describe('a SOCKS proxy', () => {
  it('is asked for the host by its name', async () => {
    const server = await serve(() => ({ body: { ok: true } }));
    const names: string[] = [];
    const proxy = net.createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', (request) => {
          const length = request[4] ?? 0;
          names.push(request.subarray(5, 5 + length).toString());
          const onward = net.connect(request.readUInt16BE(5 + length), '127.0.0.1', () => {
            socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
            onward.pipe(socket).pipe(onward);
          });
          onward.on('error', () => socket.destroy());
        });
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const client = clientOver(networkWith({ settings: manual(`socks5://127.0.0.1:${port}`) }));
    const url = `${behindProxy(server.origin)}${oddTarget}`;
    expect((await client.send({ url, auth: 'none' })).body.toString()).toBe('{"ok":true}');
    expect(server.requests[0]?.target).toBe(oddTarget);
    expect(names).toEqual(['catalog.test']);
  });
});

describe('the choice of a proxy', () => {
  const proxiesTo = async (network: Network, url: string) =>
    (await network.routesTo(url)).map(({ proxy }) => proxy);

  it('never stands before this computer', async () => {
    const env = { HTTP_PROXY: 'http://proxy:1' };
    const resolveProxy = () => Promise.resolve('PROXY proxy:1');
    for (const options of [{ env }, { resolveProxy }, { settings: manual('http://proxy:1') }]) {
      const network = networkWith(options);
      for (const host of ['127.0.0.1', 'localhost', '127.9.9.9:81', '[::1]', 'localhost.']) {
        expect(await proxiesTo(network, `http://${host}/`)).toEqual([null]);
      }
      expect(await proxiesTo(network, 'http://catalog.test/')).toEqual(['proxy:1']);
    }
  });

  it('is the system’s, asked without path and query, then the environment’s', async () => {
    const asked: string[] = [];
    let answer = 'PROXY system:1; DIRECT';
    const time = createManualTime();
    const network = networkWith({
      clock: time,
      env: { http_proxy: 'http://environment:1' },
      resolveProxy: (url) => {
        asked.push(url);
        return answer === '' ? Promise.reject(new Error('no')) : Promise.resolve(answer);
      },
    });
    expect(await proxiesTo(network, 'http://catalog.test/a?sig=secret')).toEqual(['system:1', null]);
    answer = 'DIRECT';
    expect(await proxiesTo(network, 'http://catalog.test/b')).toEqual(['system:1', null]);
    await time.advance(30_000);
    expect(await proxiesTo(network, 'http://catalog.test/b')).toEqual(['environment:1']);
    answer = '';
    expect(await proxiesTo(network, 'http://other.test/b')).toEqual(['environment:1']);
    expect(asked).toEqual(['http://catalog.test/', 'http://catalog.test/', 'http://other.test/']);
  });

  it.each([
    ['for a while', 300_000],
    ['not for hours when the clock is put back', -5 * 3_600_000],
  ])('passes over a proxy that is out of reach where there is another way, %s', async (_, laterMs) => {
    const good = await startTestProxy();
    const dead = `127.0.0.1:${await closedPort()}`;
    const server = await serve(() => ({ body: {} }));
    const time = createManualTime();
    const network = networkWith({
      clock: time,
      resolveProxy: () => Promise.resolve(`PROXY ${dead}; PROXY ${good.address}`),
    });
    const url = `${behindProxy(server.origin)}/`;
    expect((await clientOver(network).send({ url, auth: 'none' })).status).toBe(200);
    expect(await proxiesTo(network, url)).toEqual([good.address]);
    await time.advance(laterMs);
    expect(await proxiesTo(network, url)).toEqual([dead, good.address]);
  });

  it('can be changed while running', async () => {
    const proxy = await startTestProxy();
    const server = await serve(() => ({ body: {} }));
    const url = `${behindProxy(server.origin)}/`;
    const network = networkWith({ settings: manual(`http://127.0.0.1:${await closedPort()}`) });
    const client = clientOver(network);
    expect((await failureOf(client.send({ url, auth: 'none' }))).code).toBe('network.proxy');
    await network.change(manual(`http://${proxy.address}`));
    expect((await client.send({ url, auth: 'none' })).status).toBe(200);
    await network.change({ proxy: { mode: 'none', url: null }, extraCaFile: null });
    expect(await proxiesTo(network, url)).toEqual([null]);
    // The second works as a proxy of the system, but the settings can't keep it.
    for (const unusable of ['ftp://proxy', 'socks4://proxy'])
      expect((await failureOf(network.change(manual(unusable)))).details['field']).toBe('proxy');
    expect(await proxiesTo(network, url)).toEqual([null]);
  });

  it('can be waited for no longer than the caller likes', async () => {
    const controller = new AbortController();
    const network = networkWith({ resolveProxy: () => new Promise(() => undefined) });
    const request = { url: 'http://catalog.test/', auth: 'none', signal: controller.signal } as const;
    const error = failureOf(clientOver(network).send(request));
    controller.abort();
    expect((await error).code).toBe('cancelled');
  });
});

describe('certificate authorities', () => {
  it('come from an extra file, and are forgotten with it', async () => {
    const server = await startTlsServer('localhost');
    const url = `https://localhost:${server.port}/`;
    const network = networkWith();
    const client = clientOver(network);
    expect((await failureOf(client.send({ url, auth: 'none' }))).code).toBe('network.tls');
    const extraCaFile = await writeCaFile(`A note\n${server.authority}\n`);
    await network.change({ ...defaultNetworkSettings, extraCaFile });
    expect((await client.send({ url, auth: 'none' })).status).toBe(200);
    await network.change(defaultNetworkSettings);
    expect((await failureOf(client.send({ url, auth: 'none' }))).code).toBe('network.tls');
  });

  it.each([
    ['nothing of the kind', 'hello', 'holds no certificate'],
    [
      'a damaged one',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'certificate 1 of 1 in it is damaged',
    ],
    ['beginnings alone', '-----BEGIN CERTIFICATE-----\n'.repeat(250_000), 'holds no certificate'],
  ])('from a file with %s are refused by its name, and the former settings stay', async (_, text, why) => {
    const file = await writeCaFile(text);
    const network = networkWith();
    const error = await failureOf(network.change({ proxy: { mode: 'none', url: null }, extraCaFile: file }));
    expect(error.toData()).toMatchObject({ code: 'input.invalid', details: { field: 'extraCaFile', file } });
    expect(error.message).toContain(why);
    expect(error.details['why']).toContain(file);
  });

  it('from a file or a folder that is no file are refused', async () => {
    const network = networkWith();
    for (const extraCaFile of [join(tmpdir(), 'swath-no-such-file.pem'), tmpdir()]) {
      const error = await failureOf(network.change({ ...defaultNetworkSettings, extraCaFile }));
      expect(error.details['file']).toBe(extraCaFile);
    }
  });

  it('that can’t be read at the start stop nothing that can do without them', async () => {
    const server = await startTlsServer('localhost');
    const extraCaFile = join(tmpdir(), 'swath-no-such-file.pem');
    const network = networkWith({ settings: { ...defaultNetworkSettings, extraCaFile } });
    const error = await failureOf(
      clientOver(network).send({ url: `https://localhost:${server.port}/`, auth: 'none' }),
    );
    expect(error.code).toBe('network.tls');
    expect(network.problem?.details['file']).toBe(extraCaFile);
    await network.change(defaultNetworkSettings);
    expect(network.problem).toBeNull();
  });
});
