import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readLines } from '#shared/text/read-lines.ts';
import type { Router } from '#shared/rpc/server.ts';
import { protocolVersion } from '#shared/rpc/wire-message.ts';
import type { Logger } from '../../backend/ports.ts';
import { createSecret, isSameSecret } from '../secret.ts';
import {
  greetingMs as usualGreetingMs,
  greetingSchema,
  maxGreetingBytes,
  maxMessageBytes,
  type Welcome,
} from './greeting.ts';
import { makeOwnerFolder, readOwnerAddress, removeOwnerAddress, writeOwnerAddress } from './owner-address.ts';
import { createSocketPipe } from './socket-pipe.ts';

interface ServingOptions {
  /** The data folder that this program has. */
  dataDir: string;
  router: Router;
  logger: Logger;
  /** For how long a client may take to say who it is. */
  greetingMs?: number;
}

/** Commands of this user are carried out until it is closed. */
export interface CommandService {
  /** Ends what commands wait for; with `patienceMs`, they are left that long to end by themselves. */
  close(options?: { patienceMs: number }): Promise<void>;
}

// Nobody gives so many commands at once.
const maxClients = 64;
// 104 bytes on macOS, 108 on Linux, with the zero at their end.
const maxSocketPathBytes = 103;
const isWindows = process.platform === 'win32';

/**
 * Carries out commands of this user while this program has the data folder. Without it the program works all the same,
 * and commands are told that it has the queue.
 */
export async function serveCommands({
  dataDir,
  router,
  logger,
  greetingMs = usualGreetingMs,
}: ServingOptions): Promise<CommandService> {
  const token = createSecret();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void welcome(socket, { token, router, greetingMs });
  });
  server.maxConnections = maxClients;
  let socketPath: string;
  try {
    removeStale(dataDir);
    server.on('error', ({ message }) => logger.warn('commands.socket-failed', { message }));
    socketPath = await listen(server, dataDir);
    writeOwnerAddress(dataDir, { socketPath, token });
  } catch (thrown) {
    server.close();
    logger.warn('commands.not-served', { message: thrown instanceof Error ? thrown.message : '' });
    return { close: () => Promise.resolve() };
  }
  return {
    async close({ patienceMs } = { patienceMs: 0 }) {
      removeOwnerAddress(dataDir);
      const closed = once(server, 'close');
      server.close();
      const timer = setTimeout(() => sockets.forEach((socket) => socket.destroy()), patienceMs);
      await closed;
      clearTimeout(timer);
      removeSocket(socketPath);
    },
  };
}

// The token is asked for also where the file system keeps others away: named pipes of Windows are open to all.
async function welcome(
  socket: Socket,
  { token, router, greetingMs }: { token: string; router: Router; greetingMs: number },
): Promise<void> {
  // A peer that breaks off is followed by `close`, which is what matters.
  socket.on('error', () => undefined);
  let maxBytes = maxGreetingBytes;
  const lines = readLines(socket, () => maxBytes);
  const slow = setTimeout(() => socket.destroy(), greetingMs);
  try {
    const first = await lines.next();
    const greeting = greetingSchema.parse(JSON.parse(first.done ? '' : first.value));
    if (!isSameSecret(token, greeting.token)) throw new Error('A wrong token');
    maxBytes = maxMessageBytes;
    const answer: Welcome = { version: protocolVersion, pid: process.pid };
    socket.write(`${JSON.stringify(answer)}\n`);
    if (greeting.version === protocolVersion) router.serve(createSocketPipe(socket, lines));
    else socket.destroySoon();
  } catch {
    socket.destroy();
  } finally {
    clearTimeout(slow);
  }
}

// In the data folder, where nobody tidies up and a killed program leaves nothing behind; in a folder of its own among
// the temporary ones where the path would be too long, or the file system takes no sockets.
async function listen(server: Server, dataDir: string): Promise<string> {
  const folder = makeOwnerFolder(dataDir);
  if (isWindows) return listenAt(server, `\\\\.\\pipe\\swath-${createSecret()}`);
  const usual = join(folder, 'socket');
  rmSync(usual, { force: true });
  if (Buffer.byteLength(usual) <= maxSocketPathBytes) {
    const path = await listenAt(server, usual).catch(() => null);
    if (path !== null) return path;
  }
  return listenAt(server, join(mkdtempSync(join(tmpdir(), 'swath-')), 'socket'));
}

async function listenAt(server: Server, path: string): Promise<string> {
  server.listen(path);
  // Rejects at an `error`.
  await once(server, 'listening');
  if (!isWindows) chmodSync(path, 0o600);
  return path;
}

// Whoever has the data folder is the only one at work with it: what is there was left by one that was killed.
function removeStale(dataDir: string): void {
  const stale = readOwnerAddress(dataDir);
  if (stale) removeSocket(stale.socketPath);
  removeOwnerAddress(dataDir);
}

// Windows' pipes go with their program.
function removeSocket(socketPath: string): void {
  if (isWindows) return;
  rmSync(socketPath, { force: true });
  try {
    rmdirSync(dirname(socketPath));
  } catch {
    // Gone already, or there is more in it.
  }
}
