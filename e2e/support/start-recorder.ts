import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between the program and a catalog, and writes down what was searched. */
export interface Recorder {
  port: number;
  /** The bodies of all searches so far, as they went out. */
  readonly searches: unknown[];
  stop(): Promise<void>;
}

/** Passes requests on to a port of this computer, unchanged. */
export async function startRecorder(targetPort: number): Promise<Recorder> {
  const searches: unknown[] = [];
  const server = createServer((incoming, answer) => {
    void readBody(incoming).then((body) => {
      const { method, url = '', headers } = incoming;
      const isSearch = method === 'POST' && url.endsWith('/search');
      // Pictures are asked for with links.
      if (isSearch && headers['x-signed-asset-urls'] === undefined) {
        searches.push(JSON.parse(body.toString('utf8')));
      }
      // The host stays the one that was asked: links in the answer lead here again.
      const onward = request({ host: '127.0.0.1', port: targetPort, method, path: url, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      onward.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    searches,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
