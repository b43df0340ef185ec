import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { createRouter } from '#shared/rpc/server.ts';
import { startBrowserServer, type BrowserServer } from './browser-server.ts';

describe("the window's server", () => {
  let folder: string;
  let server: BrowserServer;
  let origin: string;
  let cookie: string;
  const addresses: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'swath-window-'));
    mkdirSync(join(folder, 'renderer', 'assets'), { recursive: true });
    writeFileSync(join(folder, 'secret.txt'), 'hunter2');
    writeFileSync(join(folder, 'renderer', 'index.html'), '<!doctype html><title>Window</title>');
    writeFileSync(join(folder, 'renderer', 'assets', 'index-abc.js'), 'export {};');
    const backend = {
      router: createRouter({}, {}, { isValidating: true }),
      serveResource: (path: string) =>
        Promise.resolve({ status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(path) }),
    };
    const announce = (url: string) => void addresses.push(url);
    server = await startBrowserServer({ backend, rendererDir: join(folder, 'renderer'), port: 0, announce });
    origin = `http://127.0.0.1:${String(server.port)}`;
    cookie = await signIn(addresses[0] ?? '');
  });

  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('exchanges the token of its address for a session, once', async () => {
    const url = addresses.at(-1) ?? '';
    const first = await get(url);
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe('/');
    expect(first.headers['set-cookie']?.[0]).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);

    const second = await get(url);
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.body).toContain('prints a new one');
    expect(addresses.at(-1), 'a new address is announced').not.toBe(url);

    const again = await get(url, { cookie: cookieOf(first) });
    expect(again.status, 'who has the session may come back with the same address').toBe(303);
  });

  it.each([
    '/',
    '/index.html',
    '/assets/index-abc.js',
    '/_thumb/a/b',
    '/nothing',
    '/?token=',
    '/?token=wrong',
  ])('gives nothing of %s without the session', async (path) => {
    const answer = await get(origin + path);
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('Window');
    const forged = await get(origin + path, {
      cookie: `swath-session-${String(server.port)}=${'A'.repeat(43)}`,
    });
    expect(forged.status).toBe(403);
  });

  it('serves the window with a policy that lets in nothing foreign', async () => {
    const { status, headers, body } = await get(`${origin}/`, { cookie });
    expect(status).toBe(200);
    expect(body).toContain('Window');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
  });

  it('puts the same headers on every answer, refusals too', async () => {
    for (const answer of [await get(`${origin}/`), await get(`${origin}/nothing`, { cookie })]) {
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('lets files that are named by their content be kept', async () => {
    const { status, headers } = await get(`${origin}/assets/index-abc.js`, { cookie });
    expect(status).toBe(200);
    expect(headers['cache-control']).toContain('immutable');
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', '[::1]'])(
    'refuses a request to the host "%s"',
    async (host) => {
      const { status } = await get(`${origin}/`, { cookie, host });
      expect([400, 403]).toContain(status);
    },
  );

  it('answers to localhost as well', async () => {
    const { status } = await get(`${origin}/`, { cookie, host: `localhost:${String(server.port)}` });
    expect(status).toBe(200);
  });

  it.each([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
  ])('refuses what another page sends with our cookie: %o', async (headers) => {
    expect((await get(`${origin}/_thumb/a/b`, { cookie, ...headers })).status).toBe(403);
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e%5csecret.txt',
    '//secret.txt',
  ])('does not leave its folder for %s', async (path) => {
    const text = await getRaw(server.port, path, cookie);
    expect(text).not.toContain('hunter2');
    expect(text).toMatch(/^HTTP\/1\.1 40[0-9]/);
  });

  it('takes no other method than GET', async () => {
    expect((await get(`${origin}/`, { cookie }, 'POST')).status).toBe(405);
  });

  it('asks the backend for resources by their undecoded path', async () => {
    const { body } = await get(`${origin}/_thumb/a%2Fb/c%20d?x=1`, { cookie });
    expect(body).toBe('/_thumb/a%2Fb/c%20d');
  });

  it('opens a pipe for our own page and for no other', async () => {
    const url = `ws://127.0.0.1:${String(server.port)}/pipe`;
    expect(await upgrade(url, { origin, headers: { cookie } })).toBe(101);
    expect(await upgrade(url, { origin })).toBe(403);
    expect(await upgrade(url, { origin: 'http://evil.example', headers: { cookie } })).toBe(403);
    expect(await upgrade(url, { headers: { cookie } })).toBe(403);
    expect(await upgrade(url, { origin, headers: { cookie, host: 'evil.example' } })).toBe(403);
    expect(await upgrade(url.replace('/pipe', '/other'), { origin, headers: { cookie } })).toBe(404);
  });

  it('listens on the loopback interface alone', () => {
    expect(new URL(addresses[0] ?? '').hostname).toBe('127.0.0.1');
  });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

// Not fetch: it sets Host itself, and keeps Set-Cookie to itself.
function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, method }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

function cookieOf({ headers }: Answer): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

async function signIn(url: string): Promise<string> {
  return cookieOf(await get(url));
}

// A client library would tidy the path up before it is sent.
function getRaw(port: number, path: string, cookie: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
  });
}

/** Status of the answer to a WebSocket upgrade. */
function upgrade(url: string, options: WebSocket.ClientOptions): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, options);
    socket.on('upgrade', (response) => {
      resolve(response.statusCode ?? 0);
      socket.on('open', () => socket.close());
    });
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', () => undefined);
  });
}
