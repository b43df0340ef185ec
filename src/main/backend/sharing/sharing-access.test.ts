import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { auth, token, useSharedLibrary } from './testing/shared-library.ts';

const shared = useSharedLibrary();

describe('who is not let in', () => {
  it('has no token, a wrong one or a wrong password', async () => {
    const { href } = await shared.asset();
    const headersOf: Record<string, string>[] = [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: `Basic ${btoa('me:nonsense')}` },
    ];
    for (const headers of headersOf) {
      for (const url of [shared.service.baseUrl, `${shared.service.baseUrl}/collections`, href]) {
        const response = await fetch(url, { headers });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toContain('Bearer');
        expect(await response.text()).not.toContain(token);
      }
    }
  });

  it('lets the token in as a password, for programs that set no headers', async () => {
    const headers = { authorization: `Basic ${btoa(`anyone:${token}`)}` };
    expect((await fetch(shared.service.baseUrl, { headers })).status).toBe(200);
  });

  it('is a page of somebody else, or comes under a name that was pointed at this computer', async () => {
    const asked: [Record<string, string>, number][] = [
      [{ host: 'evil.example' }, 421],
      [{ origin: 'https://evil.example' }, 403],
      [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
    ];
    for (const [headers, status] of asked) {
      const answer = await shared.get('/v1/stac', { ...auth, ...headers });
      expect([headers, answer.status]).toEqual([headers, status]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('asks for no token where this computer alone is served so, and never elsewhere', async () => {
    const open = await shared.share({ token: null });
    expect((await fetch(open.baseUrl)).status).toBe(200);
    await open.close();
    await expect(shared.share({ token: null, host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'input.invalid',
      details: { field: 'token' },
    });
  });

  it('says which address or port can not be had', async () => {
    await expect(shared.share({ token, port: shared.service.port })).rejects.toMatchObject({
      code: 'input.invalid',
      details: { field: 'port' },
    });
    await expect(shared.share({ token, host: '192.0.2.77' })).rejects.toMatchObject({
      code: 'input.invalid',
      details: { field: 'host' },
    });
  });
});

describe('a hostile client', () => {
  const paths = [
    '/assets/s2/scene/B04/../../../../../../etc/passwd',
    '/assets/s2/scene/..%2f..%2f..%2fetc%2fpasswd/x',
    '/assets/..%2f..%2fetc/passwd/B04/x',
    '/assets/s2/scene/B04',
    '/assets/s2/scene/item.json/item.json',
    '/assets/s2/scene/%ff/x',
    '/assets/s2/%00/B04/x',
    '/v1/stac/../../etc/passwd',
    '/assets//////',
    '/%2e%2e/%2e%2e/etc/passwd',
  ];
  it('gets a clean error for each path that leads elsewhere', async () => {
    for (const path of paths) {
      const answer = await shared.get(path, auth);
      expect([path, [400, 404].includes(answer.status)]).toEqual([path, true]);
      expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['code', 'description']);
      expect(answer.text).not.toContain('root:');
    }
  });

  it('gets clean errors for what it sends', async () => {
    const post = (body: string) =>
      fetch(`${shared.service.baseUrl}/search`, {
        method: 'POST',
        headers: { ...auth, 'content-type': 'application/json' },
        body,
      });
    expect((await post(`{"ids": ["${'x'.repeat(5_000_000)}"]}`)).status).toBe(413);
    expect((await post('{'.repeat(1000))).status).toBe(400);
    expect((await post('{"token":"AAAA"}')).status).toBe(400);
    expect((await shared.client.get(`${shared.service.baseUrl}/search?intersects={`)).status).toBe(400);
    expect((await shared.get('/v1/stac', { ...auth, 'x-long': 'y'.repeat(100_000) })).status).toBe(431);
  });

  it('can hold many connections open, and others are shared.answeredCount still', async () => {
    const sockets = Array.from({ length: 400 }, () => {
      const socket = connect(shared.service.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET /v1/stac HTTP/1.1\r\nHost: 127.0.0.1\r\n');
      return socket;
    });
    const closed = new Promise<void>((resolve) => {
      let count = 0;
      // Above the limit they are dropped at once.
      for (const socket of sockets) socket.on('close', () => ++count === 144 && resolve());
    });
    await closed;
    for (const socket of sockets) socket.destroy();
    expect((await shared.client.collections()).length).toBe(3);
  });
});
