import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import type { Pipe } from '#shared/rpc/pipe.ts';
import { describePipe } from '../testing/describe-pipe.ts';
import { loadAfresh, loadStandIn } from './testing/load-stand-in.ts';

const electron = loadStandIn();
const { channels, servePipe } = await import('./pipe.ts');
const preloadPath = join(import.meta.dirname, '..', '..', 'preload', 'index.ts');

function openWindow() {
  electron.record.windows.length = 0;
  electron.ipcRenderer.removeAllListeners();
  const window = new electron.BrowserWindow();
  void window.loadURL('app://bundle/');
  return window;
}

describePipe("Electron's channels, through the preload", (router) => {
  const window = openWindow();
  let served: Pipe | null = null;
  const serve = (pipe: Pipe): void => {
    served = pipe;
    router.serve(pipe);
  };
  servePipe(window as unknown as BrowserWindow, { serve });
  loadAfresh(preloadPath);
  return {
    client: electron.record.mainWorld['swathPipe'] as Pipe,
    breakOff: async () => {
      served?.close();
      await Promise.resolve();
    },
    release: () => void window.emit('closed'),
  };
});

describe("the main process' end", () => {
  const hello = '{"type":"hello","version":1}';

  it('listens to its own document and to nobody else', async () => {
    const window = openWindow();
    const serve = vi.fn();
    servePipe(window as unknown as BrowserWindow, { serve });
    const strangers = [{ url: 'app://bundle/' }, { url: 'https://evil.example/' }, null];
    for (const frame of strangers) electron.sendFrom(frame, channels.toBackend, [hello]);
    await Promise.resolve();
    expect(serve).not.toHaveBeenCalled();

    window.webContents.mainFrame.url = 'https://evil.example/';
    electron.sendFrom(window.webContents.mainFrame, channels.toBackend, [hello]);
    await Promise.resolve();
    expect(serve).not.toHaveBeenCalled();

    window.webContents.mainFrame.url = 'app://bundle/';
    electron.sendFrom(window.webContents.mainFrame, channels.toBackend, [hello]);
    await Promise.resolve();
    expect(serve).toHaveBeenCalledOnce();
    window.emit('closed');
  });

  it('takes texts alone', async () => {
    const window = openWindow();
    const serve = vi.fn();
    servePipe(window as unknown as BrowserWindow, { serve });
    for (const message of [1, { type: 'hello' }, undefined, ['x']]) {
      electron.sendFrom(window.webContents.mainFrame, channels.toBackend, [message]);
    }
    await Promise.resolve();
    expect(serve).not.toHaveBeenCalled();
    window.emit('closed');
  });

  it('begins anew with each document, ending what the old one asked for', async () => {
    const window = openWindow();
    const onClose = vi.fn();
    const serve = vi.fn((pipe: Pipe) => pipe.onClose(onClose));
    servePipe(window as unknown as BrowserWindow, { serve });
    const say = async () => {
      electron.sendFrom(window.webContents.mainFrame, channels.toBackend, [hello]);
      await Promise.resolve();
    };
    await say();
    window.webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: true });
    window.webContents.emit('did-start-navigation', { isMainFrame: false, isSameDocument: false });
    expect(onClose).not.toHaveBeenCalled();
    window.webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    expect(onClose).toHaveBeenCalledOnce();
    await say();
    expect(serve).toHaveBeenCalledTimes(2);
    window.emit('closed');
    expect(onClose).toHaveBeenCalledTimes(2);
    expect(electron.ipcMain.listenerCount(channels.toBackend)).toBe(0);
  });
});
