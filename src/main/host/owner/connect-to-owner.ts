import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { readLines } from '#shared/text/read-lines.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Pipe } from '#shared/rpc/pipe.ts';
import { protocolVersion } from '#shared/rpc/wire-message.ts';
import { greetingMs, maxMessageBytes, welcomeSchema, type Welcome } from './greeting.ts';
import { readOwnerAddress } from './owner-address.ts';
import { createSocketPipe } from './socket-pipe.ts';

/** The program that has the data folder, ready for calls. */
export interface Owner {
  pid: number;
  pipe: Pipe;
}

/**
 * Connects to the program that has the data folder; null where none takes commands.
 * @throws AppError `host.other-version`
 */
export async function connectToOwner(dataDir: string): Promise<Owner | null> {
  const address = readOwnerAddress(dataDir);
  if (!address) return null;
  const socket = connect(address.socketPath);
  const slow = setTimeout(() => socket.destroy(new Error('No answer')), greetingMs);
  try {
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    socket.write(`${JSON.stringify({ token: address.token, version: protocolVersion })}\n`);
    const lines = readLines(socket, () => maxMessageBytes);
    const welcome = await readWelcome(lines);
    if (welcome === null) return abandon(socket);
    if (welcome.version !== protocolVersion) throw otherVersion(welcome);
    return { pid: welcome.pid, pipe: createSocketPipe(socket, lines) };
  } catch (thrown) {
    abandon(socket);
    if (thrown instanceof AppError) throw thrown;
    return null;
  } finally {
    clearTimeout(slow);
  }
}

async function readWelcome(lines: AsyncGenerator<string>): Promise<Welcome | null> {
  const first = await lines.next();
  if (first.done) return null;
  const welcome = welcomeSchema.safeParse(JSON.parse(first.value));
  return welcome.success ? welcome.data : null;
}

function abandon(socket: Socket): null {
  socket.destroy();
  return null;
}

function otherVersion({ pid }: Welcome): AppError {
  return new AppError(
    'host.other-version',
    `Process ${String(pid)} has the queue and is a Swath of another version: use its own command line, or end it first.`,
    { details: { pid } },
  );
}
