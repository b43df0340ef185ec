import net from 'node:net';
import tls from 'node:tls';
import { giveBack, takeBlock, type Block } from './blocks.ts';

// What comes with a head, or before anybody knew where it belongs, is moved; more of it would be more to move.
const littleRoomBytes = 64 * 1024;
const patienceMs = 15_000;

/** Where a connection ends. */
export interface BulkEnd {
  isSecure: boolean;
  host: string;
  port: number;
}

/** Whoever is given the bytes of a connection now. */
export interface BulkReader {
  /** Heads are read into blocks as bodies are, but little at a time; what a parser has to take apart, into other memory. */
  readonly takes: 'heads' | 'bodies' | 'anything';
  /** Takes bytes that nobody else will change; false: no more until `resume`. Some may come all the same. */
  take(bytes: Buffer): boolean;
  /** The connection is over, and nothing comes any more: null where the server ended it, as it may end what it says. */
  end(failure: Error | null): void;
}

/**
 * A connection that reads straight into blocks of a megabyte. Node's way of a buffer of its own for every 64 KiB (16 over
 * TLS), copied once more by the HTTP parser, takes three times the processor time.
 */
export interface BulkConnection {
  readonly isAlive: boolean;
  /** Null: what comes now was not asked for and ends the connection. */
  reader: BulkReader | null;
  write(bytes: Uint8Array, done: (error?: Error | null) => void): void;
  /**
   * From here on bytes lie so in memory that the first is `offset` bytes after the beginning of a page. Gives `held`, which
   * came already and is the first of them, at its new place.
   */
  align(offset: number, held: Buffer): Buffer;
  pause(): void;
  resume(): void;
  /** Whether an open connection that is idle keeps the process alive. */
  setIdle(isIdle: boolean): void;
  destroy(): void;
}

/** Opens a connection; of a name's addresses the first that answers. @throws whatever Node says */
export function openBulkConnection(
  end: BulkEnd,
  options: {
    lookup?: net.LookupFunction | undefined;
    session?: Buffer | undefined;
    onSession?: (session: Buffer) => void;
  } = {},
): Promise<BulkConnection> {
  let block = takeBlock();
  /** Where the system was told to put what it reads next, maybe before it was known where that belongs. */
  let reading: Block | Buffer = block;
  let reader: BulkReader | null = null;
  let failure: Error | null = null;
  let isEnded = false;
  const onread: net.OnReadOpts = {
    buffer() {
      if (reading !== block) retire(reading);
      // Of what a parser takes apart not all comes back, so that a block could not be used again.
      if (reader?.takes === 'anything') return (reading = Buffer.allocUnsafeSlow(littleRoomBytes));
      if (block.roomBytes === 0) {
        block.retire();
        block = takeBlock();
      }
      reading = block;
      const room = block.room();
      return reader?.takes === 'bodies' ? room : room.subarray(0, littleRoomBytes);
    },
    callback(count) {
      const bytes = settle(count);
      if (reader !== null) return reader.take(bytes);
      socket.destroy();
      return false;
    },
  };

  function settle(count: number): Buffer {
    if (Buffer.isBuffer(reading)) return reading.subarray(0, count);
    const filled = reading.fill(count);
    return reading === block ? filled : move(filled);
  }

  function retire(memory: Block | Buffer): void {
    if (!Buffer.isBuffer(memory)) memory.retire();
  }

  function move(bytes: Buffer): Buffer {
    bytes.copy(block.room());
    giveBack(bytes);
    return block.fill(bytes.length);
  }

  const { host, port } = end;
  const place: net.TcpNetConnectOpts = {
    host,
    port,
    onread,
    ...(options.lookup ? { lookup: options.lookup } : {}),
  };
  const socket = end.isSecure
    ? tls.connect({
        ...place,
        ALPNProtocols: ['http/1.1'],
        ...(net.isIP(host) === 0 ? { servername: host } : {}),
        ...(options.session ? { session: options.session } : {}),
      })
    : net.connect(place);
  const connection: BulkConnection = {
    get isAlive() {
      return !socket.destroyed && socket.writable;
    },
    get reader() {
      return reader;
    },
    set reader(next) {
      reader = next;
    },
    align(offset, held) {
      block = takeBlock(offset);
      return move(held);
    },
    write: (bytes, done) => void socket.write(bytes, done),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    setIdle(isIdle) {
      if (isIdle) socket.unref();
      else socket.ref();
    },
    destroy: () => {
      socket.destroy();
    },
  };
  socket.setNoDelay(true);
  if (options.onSession) socket.on('session', options.onSession);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(timeout()), patienceMs);
    socket.once(end.isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      resolve(connection);
    });
    socket.on('error', (error: Error) => {
      failure = error;
      reject(error);
    });
    // The other side has said all that it had to say.
    socket.on('end', () => {
      isEnded = true;
      socket.destroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      block.retire();
      if (reading !== block) retire(reading);
      reject(failure ?? brokenOff());
      reader?.end(isEnded && failure === null ? null : (failure ?? brokenOff()));
    });
  });
}

/** As Node reports an answer that ended in its middle. */
export function brokenOff(): Error {
  return Object.assign(new Error('The connection broke off'), { code: 'ECONNRESET' });
}

function timeout(): Error {
  return Object.assign(new Error('The server took too long to connect'), { code: 'ETIMEDOUT' });
}
