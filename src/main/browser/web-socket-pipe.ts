import type { WebSocket } from 'ws';
import type { Pipe } from '#shared/rpc/pipe.ts';

/** The program's end of a pipe over an open WebSocket. */
export function createWebSocketPipe(socket: WebSocket): Pipe {
  // A peer that breaks off in the middle is followed by `close`, which is what matters.
  socket.on('error', () => undefined);
  return {
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    onMessage: (listener) =>
      void socket.on('message', (data: Buffer, isBinary: boolean) => {
        if (isBinary) socket.close(1003);
        else listener(data.toString('utf8'));
      }),
    onClose: (listener) => void socket.once('close', () => listener()),
    close: () => socket.close(),
  };
}
