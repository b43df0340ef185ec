import { contextBridge, ipcRenderer } from 'electron';
import type { Pipe } from '../shared/rpc/pipe.ts';

const toBackend = 'swath:to-backend';
const toWindow = 'swath:to-window';

// Texts alone cross, and null for "closed": neither an event object nor any part of Electron reaches the page.
const pipe: Pipe = {
  send: (text) => ipcRenderer.send(toBackend, text),
  onMessage: (listener) =>
    void ipcRenderer.on(toWindow, (_event, text: unknown) => typeof text === 'string' && listener(text)),
  onClose: (listener) =>
    void ipcRenderer.on(toWindow, (_event, text: unknown) => text === null && listener()),
  close: () => ipcRenderer.send(toBackend, null),
};

contextBridge.exposeInMainWorld('swathPipe', pipe);
