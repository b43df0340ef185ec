import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { describePipe } from '../testing/describe-pipe.ts';
import { startBrowserServer } from './browser-server.ts';
import { createWebSocketPipe } from './web-socket-pipe.ts';

describePipe('a WebSocket', async (router) => {
  const rendererDir = mkdtempSync(join(tmpdir(), 'swath-pipe-'));
  writeFileSync(join(rendererDir, 'index.html'), '');
  const serveResource = () => Promise.resolve({ status: 404, headers: {}, body: Buffer.alloc(0) });
  const addresses: string[] = [];
  const server = await startBrowserServer({
    backend: { router, serveResource },
    rendererDir,
    port: 0,
    announce: (url) => void addresses.push(url),
  });
  const socket = await connect(server.port, await signIn(addresses[0] ?? ''));
  return {
    client: createWebSocketPipe(socket),
    breakOff: () => server.close(),
    release: async () => {
      await server.close();
      rmSync(rendererDir, { recursive: true });
    },
  };
});

async function signIn(url: string): Promise<string> {
  const answer = await fetch(url, { redirect: 'manual' });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

function connect(port: number, cookie: string): Promise<WebSocket> {
  const host = `127.0.0.1:${String(port)}`;
  const socket = new WebSocket(`ws://${host}/pipe`, { origin: `http://${host}`, headers: { cookie } });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
}
