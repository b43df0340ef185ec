import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A real proxy that leads every host name to this computer, and remembers what it was asked. */
export interface TestProxy {
  /** `host:port` */
  address: string;
  /** Request lines and logins as they arrived. */
  asked: { line: string; authorization: string | undefined; host: string | undefined }[];
  /** Connections that were made to it. */
  connectionCount(): number;
}

/** What the proxy does instead of letting a request through: the status, or null. */
type Refuse = (authorization: string | undefined) => number | null;

/** Starts a proxy that ends with the test. */
export async function startTestProxy(refuse: Refuse = () => null): Promise<TestProxy> {
  const asked: TestProxy['asked'] = [];
  let connectionCount = 0;
  const note = ({ method = '', url = '', headers }: http.IncomingMessage) => {
    const authorization = headers['proxy-authorization'];
    asked.push({ line: `${method} ${url}`, authorization, host: headers.host });
    return refuse(authorization);
  };
  const server = http.createServer((request, response) => {
    const status = note(request);
    if (status !== null) {
      response.writeHead(status).end('<h1>The proxy says no</h1>');
      return;
    }
    // As it came: `URL` would rewrite it.
    const [, port = '80', path = '/'] = /^http:\/\/[^/]*?:?(\d+)?(\/.*)$/.exec(request.url ?? '') ?? [];
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const onward = http.request(
      { host: '127.0.0.1', port, path, method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request: http.IncomingMessage, socket: net.Socket) => {
    const status = note(request);
    if (status !== null) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 21\r\n\r\n{"access_token":"x"}\n`);
      return;
    }
    const onward = net.connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) {
      end.on('error', () => {
        socket.destroy();
        onward.destroy();
      });
    }
  });
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket) => {
    connectionCount += 1;
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    connectionCount: () => connectionCount,
  };
}
