import type { Pipe } from './pipe.ts';

/** Two connected ends in one process. Messages arrive in a later microtask, as they would over a real pipe. */
export function createMemoryPipe(): [Pipe, Pipe] {
  const a = new MemoryEnd();
  const b = new MemoryEnd();
  a.peer = b;
  b.peer = a;
  return [a, b];
}

class MemoryEnd implements Pipe {
  peer: MemoryEnd | null = null;
  #messageListener: (text: string) => void = () => undefined;
  #closeListeners: (() => void)[] = [];
  #isClosed = false;

  send(text: string): void {
    const { peer } = this;
    if (!this.#isClosed && peer) queueMicrotask(() => peer.#receive(text));
  }

  onMessage(listener: (text: string) => void): void {
    this.#messageListener = listener;
  }

  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  close(): void {
    const { peer } = this;
    this.#end();
    if (peer) peer.#end();
  }

  #receive(text: string): void {
    if (!this.#isClosed) this.#messageListener(text);
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const listener of this.#closeListeners) listener();
  }
}
