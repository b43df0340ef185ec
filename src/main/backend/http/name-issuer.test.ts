import { expect, it } from 'vitest';
import { silentLogger } from '../ports.ts';
import { createHttpClient } from './create-http-client.ts';
import { failureOf } from './testing/failure-of.ts';
import { startTlsServer } from './testing/tls-server.ts';

it('names who issued a certificate that is not trusted, and sends that server nothing', async () => {
  const server = await startTlsServer('127.0.0.1');
  const client = createHttpClient({
    credentials: { origin: `https://127.0.0.1:${server.port}`, accessToken: () => Promise.resolve('sesame') },
    clock: { now: () => 0 },
    logger: silentLogger,
  });
  const url = `https://127.0.0.1:${server.port}/a?sig=secret`;
  for (const auth of ['catalog', 'none'] as const) {
    const error = await failureOf(client.open({ url, auth }));
    expect(error.code).toBe('network.tls');
    expect(error.details['issuer']).toBe('Test authority');
    expect(JSON.stringify(error.toData())).not.toMatch(/secret|sesame/);
  }
  expect(server.requests).toEqual([]);
});
