import https from 'node:https';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../../http/testing/make-certificate.ts';
import { startFaultServer } from './fault-server.ts';

const file = Buffer.from('0123456789');

/** Asks by https with a certificate authority of its own; gives how it went and what came of the body. */
async function ask(url: string, ca: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: string[]; body: string; isWhole: boolean }>(
    (resolve, reject) => {
      const request = https.get(url, { ca, headers, agent: false }, (answer) => {
        let body = '';
        answer.on('data', (data: Buffer) => (body += data.toString()));
        answer.on('error', () => undefined);
        answer.on('close', () => {
          const { statusCode: status = 0, rawHeaders, complete: isWhole } = answer;
          resolve({ status, headers: rawHeaders, body, isWhole });
        });
      });
      request.on('error', reject);
    },
  );
}

it('does wrong by https as well, and writes down who asked for what', async () => {
  const certificate = await makeCertificate('127.0.0.1');
  const server = await startFaultServer(file, certificate);
  onTestFinished(() => server.close());
  const url = `${server.origin}/x?y=1`;
  const get = (headers?: Record<string, string>) => ask(url, certificate.authority, headers);

  expect(await get({ range: 'bytes=2-4', cookie: 'a=b' })).toMatchObject({
    status: 206,
    body: '234',
    isWhole: true,
  });
  expect(server.requests[0]).toMatchObject({ target: '/x?y=1', path: '/x', headers: { cookie: 'a=b' } });
  server.script = () => ({
    cutAfterBytes: 4,
    rawHeaders: [
      ['x-twice', '1'],
      ['x-twice', '2'],
    ],
  });
  const cut = await get();
  expect(cut).toMatchObject({ status: 200, body: '0123', isWhole: false });
  expect(cut.headers.filter((name) => name === 'x-twice')).toHaveLength(2);
  server.script = () => ({ resetAfterBytes: 0 });
  await expect(
    get().then(({ isWhole }) => (isWhole ? 'whole' : Promise.reject(new Error('cut')))),
  ).rejects.toThrow();
  server.resetsConnection = () => true;
  await expect(get()).rejects.toThrow();
});
