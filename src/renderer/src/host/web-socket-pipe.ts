import type { Pipe } from '#shared/rpc/pipe.ts';

/** A pipe over a WebSocket, once it is open. Rejects when it can't be opened. */
export function openWebSocketPipe(url: URL): Promise<Pipe> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.addEventListener('open', () => resolve(new WebSocketPipe(socket)), { once: true });
    socket.addEventListener('close', () => reject(new Error('The connection was refused')), { once: true });
  });
}

class WebSocketPipe implements Pipe {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  send(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  onMessage(listener: (text: string) => void): void {
    this.#socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') listener(data);
    });
  }

  onClose(listener: () => void): void {
    this.#socket.addEventListener('close', () => listener(), { once: true });
  }

  close(): void {
    this.#socket.close();
  }
}
