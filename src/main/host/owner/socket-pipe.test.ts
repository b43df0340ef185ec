import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLines } from '#shared/text/read-lines.ts';
import { eventually } from '#shared/testing/eventually.ts';
import { createSocketPipe } from './socket-pipe.ts';

const maxUnreadBytes = 4 * 1024 * 1024;
const message = 'x'.repeat(256 * 1024);

/** A pipe over a real socket, and the other end of that. */
async function openPipe() {
  const folder = mkdtempSync(join(tmpdir(), 'swath-pipe-'));
  const server = createServer();
  const path =
    process.platform === 'win32' ? `\\\\.\\pipe\\swath-test-${process.pid}` : join(folder, 'socket');
  server.listen(path);
  await once(server, 'listening');
  const peer = connect(path);
  peer.on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => undefined);
  onTestFinished(() => {
    peer.destroy();
    socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const pipe = createSocketPipe(
    socket,
    readLines(socket, () => 1024),
    { maxUnreadBytes },
  );
  return { pipe, peer, closed: new Promise<void>((resolve) => pipe.onClose(resolve)) };
}

describe('a pipe over a socket', () => {
  it('hangs up on a peer that reads nothing of all that it is told, before that fills the memory', async () => {
    const { pipe, peer, closed } = await openPipe();
    peer.pause();
    let isClosed = false;
    const closing = closed.then(() => (isClosed = true));
    for (let sent = 0; sent < maxUnreadBytes / 2; sent += message.length) pipe.send(message);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    // The system's own buffers take something as well.
    for (let sent = 0; sent < 2 * maxUnreadBytes; sent += message.length) pipe.send(message);
    await closing;
  });

  it('tells a peer that reads as much as there is', async () => {
    const { pipe, peer } = await openPipe();
    const wantedBytes = 5 * maxUnreadBytes;
    let received = 0;
    peer.on('data', (data) => (received += data.length));
    for (let sent = 0; sent < wantedBytes; sent += message.length) {
      pipe.send(message);
      await eventually(() => expect(received).toBeGreaterThan(sent));
    }
  });
});
