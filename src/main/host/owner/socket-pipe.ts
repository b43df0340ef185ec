import type { Socket } from 'node:net';
import type { Pipe } from '#shared/rpc/pipe.ts';

// A peer that reads nothing while much is told to it.
const usualUnreadBytes = 256 * 1024 * 1024;

/**
 * A pipe over an open socket: a line for each message. `lines` are what comes in. It hangs up on a peer that leaves more
 * than so many bytes unread.
 */
export function createSocketPipe(
  socket: Socket,
  lines: AsyncIterable<string>,
  { maxUnreadBytes = usualUnreadBytes }: { maxUnreadBytes?: number } = {},
): Pipe {
  let listener: ((text: string) => void) | null = null;
  const receive = async (): Promise<void> => {
    try {
      for await (const line of lines) listener?.(line);
    } catch {
      // A line that is too long, or a peer that broke off: either way it is not talked to any further.
    }
    socket.destroy();
  };
  return {
    send(text) {
      if (!socket.writable) return;
      socket.write(`${text}\n`);
      if (socket.writableLength > maxUnreadBytes) socket.destroy();
    },
    onMessage(next) {
      const isFirst = listener === null;
      listener = next;
      if (isFirst) void receive();
    },
    onClose(onClose) {
      if (socket.closed) queueMicrotask(onClose);
      else socket.once('close', () => onClose());
    },
    close: () => socket.destroySoon(),
  };
}
