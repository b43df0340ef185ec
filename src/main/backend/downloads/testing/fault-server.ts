import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Certificate } from '../../http/testing/make-certificate.ts';
import { planReply, type StoredObject } from './fault-reply.ts';
import { sendBody, sendRaw } from './send-body.ts';
import type { Fault, SeenRequest } from './fault.ts';

/** A web server on loopback that misbehaves on demand and writes down every header. */
export interface FaultServer extends StoredObject {
  origin: string;
  requests: SeenRequest[];
  /** Bytes of the object that every path leads to but those of `files`; may be replaced. */
  file: Buffer;
  files: Map<string, Buffer>;
  /** The fault for a request, counted from 0. */
  script: (index: number, request: SeenRequest) => Fault | undefined;
  /** What the server is there for when nothing goes wrong, where it is more than to give files. */
  route: (request: SeenRequest) => Fault | undefined;
  /** For every answer: how long it takes to begin, and what each connection gives. */
  latencyMs: number;
  bytesPerSecond: number | null;
  /** Whether a connection, counted from 0, is reset before it can say a word. */
  resetsConnection: (index: number) => boolean;
  connectionCount: number;
  /** What the server's clock says, in `Date`. */
  now: () => number;
  /** Bytes of bodies sent so far. */
  sentBytes: number;
  /** Called with `sentBytes` whenever it grows. */
  onSent: (totalBytes: number) => void;
  /** Lets no more connections in and ends all there are; `listen` is the way back, at the same port. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server that gives `file` under every path; by https with a certificate. */
export async function startFaultServer(file: Buffer, certificate?: Certificate): Promise<FaultServer> {
  const connections = new Map<Socket, number>();
  let openAnswers = 0;
  const handle = (request: http.IncomingMessage, response: http.ServerResponse) =>
    void answer(request, response);
  const server = certificate ? https.createServer(certificate, handle) : http.createServer(handle);
  // Silence is a matter of the script.
  server.requestTimeout = 0;
  server.on('connection', (socket: Socket) => {
    const index = self.connectionCount;
    self.connectionCount += 1;
    connections.set(socket, index);
    socket.on('error', () => undefined);
    socket.once('close', () => connections.delete(socket));
    if (self.resetsConnection(index)) socket.resetAndDestroy();
  });
  server.on('tlsClientError', () => undefined);

  const self: FaultServer = {
    origin: '',
    requests: [],
    file,
    files: new Map(),
    etag: '"v1"',
    lastModified: null,
    contentType: 'application/octet-stream',
    script: () => undefined,
    route: () => undefined,
    latencyMs: 0,
    bytesPerSecond: null,
    resetsConnection: () => false,
    connectionCount: 0,
    now: Date.now,
    sentBytes: 0,
    onSent: () => undefined,
    async goDown() {
      const isClosed = new Promise((resolve) => server.close(resolve));
      for (const socket of connections.keys()) socket.resetAndDestroy();
      await isClosed;
    },
    comeBack: () => listen(Number(new URL(self.origin).port)),
    async close() {
      server.closeAllConnections();
      for (const socket of connections.keys()) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const socket = findSocket(request.socket.remotePort);
    openAnswers += 1;
    response.once('close', () => (openAnswers -= 1));
    const seen = note(request, socket);
    const fault = self.script(self.requests.length - 1, seen) ?? self.route(seen) ?? {};
    if (fault.isSilent === true) return;
    if (fault.raw !== undefined) return sendRaw(request.socket, fault.raw);
    const delayMs = fault.delayMs ?? self.latencyMs;
    if (delayMs > 0) await sleep(delayMs);
    const stored = { ...self, file: self.files.get(seen.path) ?? self.file };
    const reply = planReply(seen, stored, {
      ...fault,
      headers: { date: new Date(self.now()).toUTCString(), ...fault.headers },
    });
    if (fault.lengthBy === 'closing') response.useChunkedEncodingByDefault = false;
    if (fault.lengthBy === 'closing' || fault.closesAfter === true) response.shouldKeepAlive = false;
    response.writeHead(reply.status, reply.headers);
    await sendBody(response, {
      body: reply.body,
      fault: { ...(self.bytesPerSecond === null ? {} : { bytesPerSecond: self.bytesPerSecond }), ...fault },
      reset: () => socket?.resetAndDestroy(),
      onSent(bytes) {
        seen.sentBytes += bytes;
        self.sentBytes += bytes;
        self.onSent(self.sentBytes);
      },
    });
  }

  function note(request: http.IncomingMessage, socket: Socket | undefined): SeenRequest {
    const target = request.url ?? '';
    const seen: SeenRequest = {
      method: request.method ?? '',
      target,
      path: new URL(target, self.origin).pathname,
      headers: request.headers,
      connection: (socket && connections.get(socket)) ?? -1,
      openAnswers,
      sentBytes: 0,
    };
    self.requests.push(seen);
    return seen;
  }

  // Below TLS, where a reset is possible.
  function findSocket(remotePort: number | undefined): Socket | undefined {
    return [...connections.keys()].find((socket) => socket.remotePort === remotePort);
  }

  async function listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  }

  await listen(0);
  self.origin = `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return self;
}
