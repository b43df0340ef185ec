import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it arrived. */
export interface RecordedRequest {
  method: string;
  /** The request target, byte for byte. */
  target: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** What to answer. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Objects are sent as JSON. */
  body?: unknown;
}

type Answer = (request: RecordedRequest, response: http.ServerResponse) => Reply | Promise<Reply> | null;

/** A real HTTP server on a free loopback port that remembers what it was asked. */
export interface RecordingServer {
  origin: string;
  requests: RecordedRequest[];
  close(): Promise<void>;
}

/** Starts a server; `answer` gives the reply, or null when it writes to the response itself. */
export async function startRecordingServer(answer: Answer, { port = 0 } = {}): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const server = http.createServer((request, response) => {
    void handle(request, response);
  });

  async function handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const recorded: RecordedRequest = {
      method: request.method ?? '',
      target: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    requests.push(recorded);
    const reply = await answer(recorded, response);
    if (reply === null) return;
    const isRaw = typeof reply.body === 'string' || Buffer.isBuffer(reply.body) || reply.body === undefined;
    response.writeHead(reply.status ?? 200, {
      ...(isRaw ? {} : { 'content-type': 'application/json' }),
      ...reply.headers,
    });
    response.end(isRaw ? reply.body : JSON.stringify(reply.body));
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
