import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { makeCertificate } from './make-certificate.ts';

/** An https server whose certificate only its own authority vouches for. */
export interface TlsServer {
  port: number;
  /** The authority in PEM form. */
  authority: string;
  requests: { target: string; headers: https.RequestOptions['headers'] }[];
}

/** Starts one for the given names; it answers everything with `{"secure":true}` and ends with the test. */
export async function startTlsServer(...names: string[]): Promise<TlsServer> {
  const certificate = await makeCertificate(...names);
  const requests: TlsServer['requests'] = [];
  const server = https.createServer(certificate, (request, response) => {
    requests.push({ target: request.url ?? '', headers: request.headers });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"secure":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { port: (server.address() as AddressInfo).port, authority: certificate.authority, requests };
}
