import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '#shared/rpc/client.ts';
import { createRouter, type Router } from '#shared/rpc/server.ts';
import { protocolVersion } from '#shared/rpc/wire-message.ts';
import { silentLogger } from '../../backend/ports.ts';
import { describePipe } from '../../testing/describe-pipe.ts';
import { createSampleHandlers, sampleContract } from '../../testing/sample-contract.ts';
import { connectToOwner } from './connect-to-owner.ts';
import { makeOwnerFolder, readOwnerAddress, writeOwnerAddress } from './owner-address.ts';
import { serveCommands } from './serve-commands.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-owner-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function createSampleRouter(): Router {
  const record = { waiting: 0, aborted: 0, counters: new Set<never>() };
  return createRouter(sampleContract, createSampleHandlers(record), { isValidating: true });
}

async function startOwner(dataDir: string, greetingMs = 3_600_000) {
  const router = createSampleRouter();
  const service = await serveCommands({ dataDir, router, logger: silentLogger, greetingMs });
  onTestFinished(() => service.close());
  const address = readOwnerAddress(dataDir);
  if (!address) throw new Error('There is no address');
  return { service, ...address };
}

/** Whether a program at work there answers. */
async function isAnswering(dataDir: string): Promise<boolean> {
  const owner = await connectToOwner(dataDir);
  if (!owner) return false;
  const client = createClient(sampleContract, owner.pipe, { isValidating: true });
  const { number } = await client.math.double({ number: 21 });
  owner.pipe.close();
  return number === 42;
}

async function open(socketPath: string): Promise<{ socket: Socket; ended: Promise<unknown> }> {
  const socket = connect(socketPath);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.resume();
  return { socket, ended: new Promise((resolve) => socket.once('close', resolve)) };
}

describePipe('a local socket', async (router) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-owner-'));
  const service = await serveCommands({ dataDir, router, logger: silentLogger });
  const owner = await connectToOwner(dataDir);
  if (!owner) throw new Error('Nobody answers');
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await service.close();
    isClosed = true;
  };
  return {
    client: owner.pipe,
    breakOff: close,
    release: async () => {
      await close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
});

describe('a program that takes commands', () => {
  it('leaves nothing behind when it ends', async () => {
    const dataDir = makeFolder();
    const { service, socketPath } = await startOwner(dataDir);
    expect(await isAnswering(dataDir)).toBe(true);
    await service.close();
    expect(existsSync(socketPath)).toBe(false);
    expect(readOwnerAddress(dataDir)).toBeNull();
    expect(await connectToOwner(dataDir)).toBeNull();
  });

  it.skipIf(process.platform === 'win32')('lets nobody else at its socket and its token', async () => {
    const dataDir = makeFolder();
    chmodSync(dataDir, 0o755);
    // One that was made by hand, or by a careless copy.
    mkdirSync(join(dataDir, 'owner'), { mode: 0o777 });
    const { socketPath } = await startOwner(dataDir);
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(dirname(socketPath))).toBe(0o700);
    expect(modeOf(socketPath)).toBe(0o600);
    expect(modeOf(join(dataDir, 'owner', 'address.json'))).toBe(0o600);
  });

  it.skipIf(process.platform === 'win32')(
    'has a socket elsewhere where the path would be too long, also only for its user',
    async () => {
      const dataDir = join(makeFolder(), 'a-long-name-of-a-folder'.repeat(6));
      const { service, socketPath } = await startOwner(dataDir);
      expect(Buffer.byteLength(socketPath)).toBeLessThan(104);
      expect(socketPath.startsWith(dataDir)).toBe(false);
      expect(statSync(dirname(socketPath)).mode & 0o777).toBe(0o700);
      expect(await isAnswering(dataDir)).toBe(true);
      await service.close();
      expect(existsSync(dirname(socketPath))).toBe(false);
    },
  );

  it('is not kept from starting by what a killed one left', async () => {
    const dataDir = makeFolder();
    makeOwnerFolder(dataDir);
    const dead = createServer();
    const socketPath =
      process.platform === 'win32' ? '\\\\.\\pipe\\swath-dead' : join(dataDir, 'owner', 'socket');
    dead.listen(socketPath);
    await once(dead, 'listening');
    writeOwnerAddress(dataDir, { socketPath, token: 'of-the-dead' });
    const { token } = await startOwner(dataDir);
    expect(token).not.toBe('of-the-dead');
    expect(await isAnswering(dataDir)).toBe(true);
    dead.close();
  });

  it('hangs up on whoever has not the token, and goes on', async () => {
    const dataDir = makeFolder();
    const { socketPath, token } = await startOwner(dataDir);
    const version = protocolVersion;
    const wrong = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const greetings = [
      JSON.stringify({ token: wrong, version }),
      JSON.stringify({ token: '', version }),
      JSON.stringify({ version }),
      JSON.stringify({ type: 'hello', version }),
      'GET / HTTP/1.1',
      'null',
      '',
    ];
    for (const greeting of greetings) {
      const { socket, ended } = await open(socketPath);
      socket.on('data', (data) => expect.fail(`${greeting} was answered: ${String(data)}`));
      socket.write(`${greeting}\n`);
      await ended;
    }
    expect(await isAnswering(dataDir)).toBe(true);
  });

  it('hangs up on a first line without an end, long before it fills the memory', async () => {
    const dataDir = makeFolder();
    const { socketPath } = await startOwner(dataDir);
    const { socket, ended } = await open(socketPath);
    socket.write('x'.repeat(1_000_000));
    await ended;
    expect(await isAnswering(dataDir)).toBe(true);
  });

  it('hangs up on a message of 100 MB, also of one that may give commands', async () => {
    const dataDir = makeFolder();
    const { socketPath, token } = await startOwner(dataDir);
    const { socket, ended } = await open(socketPath);
    socket.write(`${JSON.stringify({ token, version: protocolVersion })}\n`);
    socket.write(Buffer.alloc(100_000_000, 'x'));
    await ended;
    expect(await isAnswering(dataDir)).toBe(true);
  });

  it('answers others while some connect and say nothing, or only half a line', async () => {
    const dataDir = makeFolder();
    const { service, socketPath, token } = await startOwner(dataDir);
    const silent = await Promise.all(Array.from({ length: 20 }, () => open(socketPath)));
    silent.slice(10).forEach(({ socket }) => socket.write('{"token":"'));
    const half = await open(socketPath);
    half.socket.write(`${JSON.stringify({ token, version: protocolVersion })}\n{"type":"requ`);
    expect(await isAnswering(dataDir)).toBe(true);
    half.socket.end();
    await half.ended;
    // Those that stay don't keep the program from ending.
    await service.close();
    await Promise.all(silent.map(({ ended }) => ended));
  });

  it('hangs up on those that take too long to say who they are', async () => {
    const dataDir = makeFolder();
    const { socketPath } = await startOwner(dataDir, 50);
    const [silent, half] = await Promise.all([open(socketPath), open(socketPath)]);
    half.socket.write('{"token":"');
    await Promise.all([silent.ended, half.ended]);
  });

  it('tells a client of another version so, and does nothing for it', async () => {
    const dataDir = makeFolder();
    const { socketPath, token } = await startOwner(dataDir);
    const { socket, ended } = await open(socketPath);
    let answer = '';
    socket.on('data', (data) => (answer += String(data)));
    const request = { type: 'request', id: 1, path: 'math.double', input: { number: 1 } };
    socket.write(`${JSON.stringify({ token, version: 999 })}\n${JSON.stringify(request)}\n`);
    await ended;
    expect(JSON.parse(answer)).toEqual({ version: protocolVersion, pid: process.pid });
  });

  it('is told from one of another version by the client', async () => {
    const dataDir = makeFolder();
    const { socketPath, token, service } = await startOwner(dataDir);
    await service.close();
    makeOwnerFolder(dataDir);
    const newer = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(`${JSON.stringify({ version: 999, pid: 7 })}\n`));
    });
    onTestFinished(() => void newer.close());
    newer.listen(socketPath);
    await once(newer, 'listening');
    writeOwnerAddress(dataDir, { socketPath, token });
    await expect(connectToOwner(dataDir)).rejects.toMatchObject({
      code: 'host.other-version',
      message: expect.stringContaining('Process 7 has the queue') as string,
    });
  });

  it.skipIf(process.platform === 'win32')(
    'is not looked for in a folder that others may write to',
    async () => {
      const dataDir = makeFolder();
      const { socketPath, token } = await startOwner(dataDir);
      const folder = makeFolder();
      chmodSync(folder, 0o777);
      writeOwnerAddress(dataDir, { socketPath: join(folder, 'socket'), token });
      expect(readOwnerAddress(dataDir)).toBeNull();
      writeOwnerAddress(dataDir, { socketPath, token });
      expect(await isAnswering(dataDir)).toBe(true);
      expect(readdirSync(join(dataDir, 'owner')).sort()).toEqual(['address.json', 'socket']);
    },
  );
});
