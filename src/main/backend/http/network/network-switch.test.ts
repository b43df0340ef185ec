import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { defaultNetworkSettings } from '#shared/settings/network-settings.ts';
import { silentLogger, systemClock } from '../../ports.ts';
import { createHttpClient } from '../create-http-client.ts';
import { toNetworkError } from '../network-error.ts';
import { failureOf } from '../testing/failure-of.ts';
import { serve } from '../testing/serve.ts';
import { createOddNetwork } from '../../downloads/testing/odd-network.ts';
import { createNetwork, type Network } from './network.ts';

function open() {
  const network = createNetwork({
    settings: defaultNetworkSettings,
    env: {},
    clock: systemClock,
    logger: silentLogger,
  });
  const http = createHttpClient({ credentials: null, clock: systemClock, logger: silentLogger, network });
  return { network, http };
}

const readAll = (body: Readable): Promise<unknown> =>
  buffer(body).catch((thrown: unknown) => {
    throw toNetworkError(thrown, 'http://storage.example');
  });

it('lets nothing out while it is off, and everything when it is on again', async () => {
  const server = await serve(() => ({ body: 'here' }));
  const { network, http } = open();
  network.switchOff(true);
  const send = () => http.send({ url: server.origin, auth: 'none' });
  expect(await failureOf(send())).toMatchObject({ code: 'network.switched-off', retryable: true });
  expect(server.requests).toEqual([]);
  network.switchOff(false);
  expect((await send()).body.toString()).toBe('here');
});

it('breaks off what is on its way', async () => {
  const asked = Promise.withResolvers<null>();
  const closed = Promise.withResolvers<null>();
  const server = await serve(({ target }, response) => {
    response.on('close', () => closed.resolve(null));
    if (target === '/body') response.write('the first bytes of many');
    asked.resolve(null);
    return null;
  });
  const { network, http } = open();
  const { body } = await http.open({ url: `${server.origin}/body`, auth: 'none' });
  const reading = failureOf(readAll(body));
  network.switchOff(true);
  expect(await reading).toMatchObject({ code: 'network.switched-off' });
  await closed.promise;
  network.switchOff(false);
  const waiting = failureOf(http.send({ url: `${server.origin}/head`, auth: 'none' }));
  await asked.promise;
  while (server.requests.length < 2) await new Promise(setImmediate);
  network.switchOff(true);
  expect(await waiting).toMatchObject({ code: 'network.switched-off' });
});

it('is followed by nobody who has their answer', async () => {
  const server = await serve(() => ({ body: 'here' }));
  const followers = new Set<() => void>();
  const network: Network = {
    ...createOddNetwork({}),
    onOff(listener) {
      followers.add(listener);
      return () => void followers.delete(listener);
    },
  };
  const http = createHttpClient({ credentials: null, clock: systemClock, logger: silentLogger, network });
  await http.send({ url: server.origin, auth: 'none' });
  const { body } = await http.open({ url: server.origin, auth: 'none' });
  await readAll(body);
  await failureOf(http.send({ url: 'http://127.0.0.1:1', auth: 'none' }));
  // The end of a stream is told after its last bytes.
  await new Promise(setImmediate);
  expect(followers.size).toBe(0);
});
