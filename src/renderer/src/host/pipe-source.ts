import type { Pipe } from '#shared/rpc/pipe.ts';
import { openWebSocketPipe } from './web-socket-pipe.ts';

declare global {
  interface Window {
    /** Given by Electron's preload; absent in a browser. */
    swathPipe?: Pipe;
  }
}

/** Where the window gets its pipe to the program from. */
export interface PipeSource {
  /** Rejects when the program can't be reached. */
  open(): Promise<Pipe>;
}

/** Electron's pipe where its preload offers one, else a WebSocket to the page's own origin. */
export function choosePipeSource(host: Window): PipeSource {
  const { swathPipe } = host;
  if (swathPipe) return { open: () => Promise.resolve(swathPipe) };
  const url = new URL('/pipe', host.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  return { open: () => openWebSocketPipe(url) };
}
