import { ipcMain, type BrowserWindow, type IpcMainEvent } from 'electron';
import type { Pipe } from '#shared/rpc/pipe.ts';
import type { Router } from '#shared/rpc/server.ts';
import { isAppUrl } from './app-url.ts';

/** The two channels that the preload uses. Texts in both directions; null closes. */
export const channels = { toBackend: 'swath:to-backend', toWindow: 'swath:to-window' } as const;

/** Whether a message comes from the window's own document: its main frame, showing our page. */
export function isFromWindow(event: Pick<IpcMainEvent, 'senderFrame'>, window: BrowserWindow): boolean {
  const { senderFrame } = event;
  // Null after the frame navigated away.
  return senderFrame !== null && senderFrame === window.webContents.mainFrame && isAppUrl(senderFrame.url);
}

/** Serves a window: one pipe for each document that it shows, so that a reload begins anew. */
export function servePipe(window: BrowserWindow, router: Router): void {
  const { webContents } = window;
  let pipe: IpcPipe | null = null;
  const closePipe = (): void => {
    pipe?.end();
    pipe = null;
  };
  const receive = (event: IpcMainEvent, text: unknown): void => {
    if (!isFromWindow(event, window)) return;
    if (text === null) closePipe();
    if (typeof text !== 'string') return;
    if (!pipe) {
      pipe = new IpcPipe(
        (answer) => !webContents.isDestroyed() && webContents.send(channels.toWindow, answer),
      );
      router.serve(pipe);
    }
    pipe.receive(text);
  };
  ipcMain.on(channels.toBackend, receive);
  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) closePipe();
  });
  webContents.on('render-process-gone', closePipe);
  window.once('closed', () => {
    ipcMain.off(channels.toBackend, receive);
    closePipe();
  });
}

class IpcPipe implements Pipe {
  readonly #deliver: (text: string | null) => void;
  readonly #closeListeners: (() => void)[] = [];
  #messageListener: (text: string) => void = () => undefined;
  #isClosed = false;

  constructor(deliver: (text: string | null) => void) {
    this.#deliver = deliver;
  }

  send(text: string): void {
    if (!this.#isClosed) this.#deliver(text);
  }

  onMessage(listener: (text: string) => void): void {
    this.#messageListener = listener;
  }

  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#deliver(null);
    this.end();
  }

  receive(text: string): void {
    if (!this.#isClosed) this.#messageListener(text);
  }

  /** Closes without telling the window: it left by itself. */
  end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const listener of this.#closeListeners) listener();
  }
}
