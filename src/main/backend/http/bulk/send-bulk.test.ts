import net from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createBulkPool } from './bulk-pool.ts';
import { giveBack } from './blocks.ts';
import { beginsWithPage, pageBytes } from './pages.ts';
import { sendBulk } from './send-bulk.ts';

const file = Buffer.alloc(5_000_001);
for (let index = 0; index < file.length; index += 1) file[index] = (index * 7919) >> 3;
const head = (lines = `Content-Length: ${file.length}`) => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;
const servers: net.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Answers the n-th request of the k-th connection; both count from 0. */
async function serve(answer: (socket: net.Socket, at: { request: number; connection: number }) => void) {
  const seen = { connections: 0, requests: [] as string[] };
  const server = net.createServer((socket) => {
    const connection = seen.connections++;
    let request = 0;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      seen.requests.push(bytes.toString('latin1'));
      answer(socket, { request: request++, connection });
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a'b?X=%2f`;
  const pool = createBulkPool();
  const get = (signal?: AbortSignal) => sendBulk(pool, { url, method: 'GET', headers: {}, signal });
  return { seen, get };
}

async function readAll(body: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(Buffer.from(part));
    giveBack(part);
  }
  return Buffer.concat(parts);
}

describe('a body that is read in bulk', () => {
  it('comes whole, and its connection serves the next request', async () => {
    const { seen, get } = await serve((socket) => {
      socket.write(head());
      socket.write(file);
    });
    for (let round = 0; round < 4; round += 1) {
      const { response, body } = await get();
      expect(response.statusCode).toBe(200);
      expect((await readAll(body)).equals(file)).toBe(true);
    }
    expect(seen.connections).toBe(1);
    expect(seen.requests[0]).toContain("GET /a'b?X=%2f HTTP/1.1");
  });

  it('lies in memory as far behind the beginning of a page as in its file', async () => {
    const first = 1_234_567;
    const { get } = await serve((socket, { request }) => {
      const range = `Content-Range: bytes ${first}-${file.length - 1}/${file.length}`;
      const part = file.subarray(first);
      if (request === 0) socket.write(head());
      else socket.write(`HTTP/1.1 206 OK\r\nContent-Length: ${part.length}\r\n${range}\r\n\r\n`);
      socket.write(request === 0 ? file : part);
    });
    for (const start of [0, first]) {
      const { body } = await get();
      let position = start;
      for await (const part of body as AsyncIterable<Buffer>) {
        expect(part.byteOffset % pageBytes).toBe(position % pageBytes);
        expect(beginsWithPage(part.subarray(pageBytes - (position % pageBytes)))).toBe(true);
        expect(part.equals(file.subarray(position, position + part.length))).toBe(true);
        position += part.length;
        giveBack(part);
      }
      expect(position).toBe(file.length);
    }
  });

  it('keeps several apart that come at once', async () => {
    const { get } = await serve((socket) => {
      socket.write(head());
      socket.write(file);
    });
    for (let round = 0; round < 3; round += 1) {
      const bodies = await Promise.all(
        [get(), get(), get(), get()].map(async (sent) => readAll((await sent).body)),
      );
      for (const body of bodies) expect(body.equals(file)).toBe(true);
    }
  });

  it.each([
    [
      'byte by byte',
      (socket: net.Socket) => drip(socket, Buffer.from(`${head('Content-Length: 9')}123456789`)),
    ],
    [
      'after early hints',
      (socket: net.Socket) =>
        socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${head('Content-Length: 9')}123456789`),
    ],
    [
      'in chunks',
      (socket: net.Socket) =>
        socket.write(`${head('Transfer-Encoding: chunked')}5\r\n12345\r\n4\r\n6789\r\n0\r\n\r\n`),
    ],
    [
      'until the connection ends',
      (socket: net.Socket) => socket.end(`${head('Connection: close')}123456789`),
    ],
    [
      'with more than announced',
      (socket: net.Socket) => socket.write(`${head('Content-Length: 9')}123456789 and more`),
    ],
  ])('is understood %s', async (_, answer) => {
    const { seen, get } = await serve(answer);
    expect((await readAll((await get()).body)).toString()).toBe('123456789');
    expect((await readAll((await get()).body)).toString()).toBe('123456789');
    expect(seen.connections).toBe(_ === 'byte by byte' || _ === 'after early hints' ? 1 : 2);
  });

  it('that breaks off says so', async () => {
    const { get } = await serve((socket) =>
      socket.end(Buffer.concat([Buffer.from(head()), file.subarray(0, 1_500_000)])),
    );
    let bytes = 0;
    const read = async () => {
      for await (const part of (await get()).body as AsyncIterable<Buffer>) {
        bytes += part.length;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
    // Nothing that had come is lost.
    expect(bytes).toBe(1_500_000);
  });

  it('without a stated length ends where the server ends it, and not where the connection breaks off', async () => {
    const part = file.subarray(0, 300_000);
    const { get } = await serve((socket, { connection }) => {
      socket.write(head('Connection: close'));
      socket.write(part, () => {
        if (connection === 0) socket.end();
        else setImmediate(() => socket.resetAndDestroy());
      });
    });
    expect((await readAll((await get()).body)).equals(part)).toBe(true);
    await expect(readAll((await get()).body)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('is none where the server turns to another protocol, which is an answer at once', async () => {
    const { seen, get } = await serve((socket, { connection }) => {
      if (connection > 0) socket.write(head() + file.toString('latin1'), 'latin1');
      else
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: tls/1.3\r\n\r\n');
    });
    const { response, body } = await get();
    expect(response.statusCode).toBe(101);
    body.destroy();
    expect((await readAll((await get()).body)).equals(file)).toBe(true);
    expect(seen.connections).toBe(2);
  });

  it('waits for whoever reads it', async () => {
    let sentBytes = 0;
    const large = Buffer.alloc(64 * 1024 * 1024);
    const { get } = await serve((socket) => {
      socket.write(head(`Content-Length: ${large.length}`));
      socket.write(large, () => undefined);
      socket.on('drain', () => undefined);
      const timer = setInterval(() => (sentBytes = socket.bytesWritten - socket.writableLength), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const controller = new AbortController();
    const { body } = await get(controller.signal);
    // Until the server can't get rid of any more.
    for (let before = -1; before !== sentBytes || sentBytes === 0;) {
      before = sentBytes;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
    controller.abort();
    await expect(readAll(body)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is asked for again when the kept connection was closed in the meantime', async () => {
    const { seen, get } = await serve((socket, { request, connection }) => {
      if (connection === 0 && request === 1) socket.destroy();
      else socket.write(`${head('Content-Length: 2')}ok`);
    });
    for (const round of [1, 2]) expect((await readAll((await get()).body)).toString(), `${round}`).toBe('ok');
    expect(seen.requests).toHaveLength(3);
  });

  it.each([
    ['two lengths', head('Content-Length: 5\r\nContent-Length: 6'), /HPE_/],
    ['a length and chunks', head('Content-Length: 5\r\nTransfer-Encoding: chunked'), /HPE_/],
    ['100 KB of headers', head(`X: ${'x'.repeat(100_000)}\r\nContent-Length: 5`), /HPE_HEADER_OVERFLOW/],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', /HPE_/],
  ])('is refused with %s', async (_, answer, code) => {
    const { get } = await serve((socket) => void socket.write(answer));
    await expect(get()).rejects.toMatchObject({ code: expect.stringMatching(code) as string });
  });

  it('is not waited for when nobody wants it any more', async () => {
    const { get } = await serve(() => undefined);
    const controller = new AbortController();
    const sent = get(controller.signal);
    controller.abort();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  });
});

function drip(socket: net.Socket, bytes: Buffer): void {
  let at = 0;
  socket.setNoDelay(true);
  const next = () => {
    if (at < bytes.length) socket.write(bytes.subarray(at, ++at), () => setImmediate(next));
  };
  next();
}
