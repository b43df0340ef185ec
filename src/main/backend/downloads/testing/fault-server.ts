import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes wrong with one request; what is left out goes right. */
export interface Fault {
  status?: number;
  headers?: Record<string, string>;
  /** Sent in place of the file. */
  body?: Buffer | string;
  /** The whole is sent whatever range was asked for. */
  ignoresRange?: boolean;
  /** Added to the start of the range in both header and bytes. */
  shiftStart?: number;
  /** No more than this many bytes of the range, honestly stated. */
  mostBytes?: number;
  /** After so many bytes of the body: the connection is cut, or falls silent. */
  cutAfterBytes?: number;
  stallAfterBytes?: number;
  /** Sent before the cut, in place of the file's bytes. */
  garbage?: Buffer;
  /** Chunked, so that no length is stated. */
  hidesLength?: boolean;
  etag?: string | null;
  file?: Buffer;
}

/** One request as it came, and how much of a body went out for it. */
export interface SeenRequest {
  target: string;
  headers: http.IncomingHttpHeaders;
  sentBytes: number;
}

/** An object store on loopback that misbehaves on demand and writes down every header. */
export interface FaultServer {
  origin: string;
  requests: SeenRequest[];
  /** Bytes of the object; may be replaced. */
  file: Buffer;
  etag: string | null;
  contentType: string;
  /** The fault for a request, counted from 0. */
  script: (index: number, request: SeenRequest) => Fault | undefined;
  /** Called with all bytes of bodies sent so far. */
  onSent: (totalBytes: number) => void;
  close(): Promise<void>;
}

const pieceBytes = 64 * 1024;

/** Starts a server that gives `file` under every path. */
export async function startFaultServer(file: Buffer): Promise<FaultServer> {
  let totalSent = 0;
  const server = http.createServer((request, response) => void answer(request, response));
  const self: FaultServer = {
    origin: '',
    requests: [],
    file,
    etag: '"v1"',
    contentType: 'application/octet-stream',
    script: () => undefined,
    onSent: () => undefined,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const seen = { target: request.url ?? '', headers: request.headers, sentBytes: 0 };
    self.requests.push(seen);
    const fault = self.script(self.requests.length - 1, seen) ?? {};
    if (fault.body !== undefined || (fault.status !== undefined && fault.status >= 300)) {
      response.writeHead(fault.status ?? 200, fault.headers);
      response.end(fault.body ?? '');
      return;
    }
    await sendFile(seen, response, fault);
  }

  async function sendFile(seen: SeenRequest, response: http.ServerResponse, fault: Fault): Promise<void> {
    const { file: whole = self.file, etag = self.etag, shiftStart = 0, mostBytes = whole.length } = fault;
    const headers = { 'content-type': self.contentType, ...(etag === null ? {} : { etag }) };
    const asked = fault.ignoresRange ? null : askedStart(seen, etag);
    if (asked !== null && asked >= whole.length) {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${whole.length}`, ...fault.headers });
      response.end();
      return;
    }
    const start = (asked ?? 0) + shiftStart;
    const bytes = whole.subarray(start, start + mostBytes);
    const length = fault.hidesLength ? {} : { 'content-length': bytes.length };
    const range = `bytes ${start}-${start + bytes.length - 1}/${whole.length}`;
    if (asked === null) response.writeHead(200, { ...headers, ...length, ...fault.headers });
    else response.writeHead(206, { ...headers, ...length, 'content-range': range, ...fault.headers });
    await sendBytes(seen, response, { bytes, fault });
  }

  async function sendBytes(
    seen: SeenRequest,
    response: http.ServerResponse,
    { bytes, fault }: { bytes: Buffer; fault: Fault },
  ): Promise<void> {
    const end = Math.min(fault.cutAfterBytes ?? fault.stallAfterBytes ?? bytes.length, bytes.length);
    for (let sent = 0; sent < end; sent += pieceBytes) {
      const piece = bytes.subarray(sent, Math.min(sent + pieceBytes, end));
      if (!(await write(response, piece))) return;
      seen.sentBytes += piece.length;
      totalSent += piece.length;
      self.onSent(totalSent);
    }
    if (fault.garbage) await write(response, fault.garbage);
    if (fault.stallAfterBytes !== undefined) return;
    if (fault.cutAfterBytes === undefined) response.end();
    // What was written must go out first, or the cut would be at another byte.
    else response.socket?.end();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  self.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return self;
}

// Null: the whole, because no range was asked for or If-Range names other bytes.
function askedStart({ headers }: SeenRequest, etag: string | null): number | null {
  const ifRange = headers['if-range'];
  const start = /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1];
  return start === undefined || (ifRange !== undefined && ifRange !== etag) ? null : Number(start);
}

async function write(response: http.ServerResponse, piece: Buffer): Promise<boolean> {
  if (response.destroyed) return false;
  return new Promise((resolve) => {
    const onClose = () => resolve(false);
    response.once('close', onClose);
    response.write(piece, (error) => {
      response.off('close', onClose);
      resolve(!error);
    });
  });
}
